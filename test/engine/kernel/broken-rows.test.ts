import { expect, it } from "vitest";
import { holdEnds, holdsOf } from "../../../src/domain/breakers/hold.ts";
import { fullName } from "../../../src/domain/kernel/repository.ts";
import { aNode } from "../../factories/a-node.ts";
import { MINUTE } from "../../factories/moment.ts";
import { type BreakRows, breakable } from "../breakable.ts";
import { agentOf, stateOf } from "../look.ts";
import { closed, labeled, tell } from "../people.ts";
import { REPOSITORY, type Rig } from "../rig.ts";
import { blocked, edit, escalate, on, slowly, work } from "../scripts.ts";

const act = { agent: `${fullName(REPOSITORY)}:feat-dev-issue-1`, id: "1", by: "operator:ann", reason: null };

async function atWork(): Promise<{ rig: Rig; by: BreakRows }> {
  const made = await breakable({ script: [on(1, slowly(24 * 60 * MINUTE, edit())), on(1, ...work)] });
  await made.rig.engine.handle(labeled(made.rig, 1));
  await made.rig.until("it talks", () => made.rig.runtime.requests.length === 1);
  // It talks before its opening is recorded; a row that is broken in between would have it opened once more.
  const opening = { kind: "open_session", state: "leased" } as const;
  await made.rig.until(
    "its opening is recorded",
    async () => (await made.rig.store.effects.find(opening)).length === 0,
  );
  return made;
}

/** The next round that looks at the rules. */
async function looked(rig: Rig): Promise<void> {
  await rig.work(rig.context.settings.reconcileEveryMs);
  await rig.idle();
}

it("stops an agent at work whose run is broken, says how a person settles it, and that works", async () => {
  const { rig, by } = await atWork();
  await by("UPDATE run SET state = 'succeeded'");
  await looked(rig);
  const agent = await agentOf(rig);
  expect(agent).toMatchObject({ state: "SLEEPING", heldBy: ["invariant"] });
  expect(agent.reason).toBe("its rows in the database break the rule active_has_one_live_run");
  expect(rig.runtime.running.size).toBe(0);
  expect(rig.logged.map(({ message }) => message)).toContainEqual(expect.stringContaining("flotilla doctor"));
  expect(
    (await rig.store.runEvents.after(0, { limit: 1000, agentId: agent.id })).map(({ event }) => event),
  ).toContainEqual({
    type: "agent:paused",
    data: { state: "SLEEPING", reason: agent.reason },
  });
  expect(holdEnds(holdsOf(agent, []))).toContain("`flotilla agents kill`");

  const opened = rig.runtime.opened.length;
  await rig.engine.operations.resume(act);
  await rig.idle();
  expect((await agentOf(rig)).heldBy).toEqual(["invariant"]);
  expect(rig.runtime.opened.length).toBe(opened);

  await rig.engine.operations.kill({ ...act, id: "2" });
  await rig.idle();
  await rig.engine.operations.revive({ ...act, id: "3" });
  await rig.until("the new attempt talks", () => rig.runtime.opened.length > opened);
  expect(await rig.store.records.find("agent", { issue: 1 })).toMatchObject([
    { state: "CANCELLED" },
    { heldBy: [] },
  ]);
});

it("stops an agent at work at once although its pause cannot be written, because its run cannot be read", async () => {
  const { rig, by } = await atWork();
  await by("UPDATE run SET state = 'succeeded', iteration = 10000000000000000");
  await rig.work(rig.context.settings.reconcileEveryMs);
  expect(rig.logged.map(({ message }) => message)).toContain(
    "database row not read: everything else continues without it",
  );
  expect(await agentOf(rig)).toMatchObject({ state: "ACTIVE", heldBy: [] });
  expect(rig.runtime.running.size).toBe(0);
  await rig.idle();
});

it("wakes no sleeper whose rows are broken, and lets it continue once they are fixed and it is resumed", async () => {
  const { rig, by } = await breakable({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await by("UPDATE run SET state = 'failed'");
  await looked(rig);
  await tell(rig, closed(rig, 2));
  await rig.pass(MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["invariant"] });
  expect(rig.runtime.opened.length).toBe(1);
  await by("UPDATE run SET state = 'waiting_agent'");
  await rig.engine.operations.resume(act);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", heldBy: [] });
});

it("leaves an agent alone beside a newer version, whose rows this one may not know", async () => {
  const { rig, by } = await breakable({ script: [on(1, blocked(2), ...work)], alone: false });
  await rig.engine.tick();
  await tell(rig, labeled(rig, 1));
  const { store, clock } = rig;
  const epoch = await store.nodes.begin({
    ...aNode("newer", { version: "2.0.0", reads: 99 }),
    now: clock.now(),
  });
  await by("UPDATE task SET lease_until = NULL");
  for (let left = rig.context.settings.reconcileEveryMs; left > 0; left -= MINUTE / 6) {
    clock.advance(MINUTE / 6);
    await store.nodes.seen({ name: "newer", epoch }, clock.now(), null);
    await rig.engine.tick();
  }
  expect(rig.logged.map(({ message }) => message)).toContain("an invariant of the lifecycles is broken");
  expect((await agentOf(rig)).heldBy).toEqual([]);
  await store.nodes.stopped({ name: "newer", epoch });
  await looked(rig);
  expect((await agentOf(rig)).heldBy).toEqual(["invariant"]);
});

it("holds the coder of a broken task, and finds it when the host starts again", async () => {
  const { rig, by } = await breakable({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await by("UPDATE task SET lease_until = NULL");
  await rig.restart();
  expect(await agentOf(rig)).toMatchObject({ heldBy: ["invariant"] });
});

it("holds nobody for what concerns no agent, and says it", async () => {
  const { rig, by } = await breakable({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await by("UPDATE effect SET leased_until = 1 WHERE id = 1");
  await looked(rig);
  expect((await agentOf(rig)).heldBy).toEqual([]);
  expect(rig.logged.map(({ message }) => message)).toContain("an invariant of the lifecycles is broken");
});

it.each([
  ["wake", "UPDATE wake SET granted = '{}' WHERE agent_id = 1"],
  ["agent", "UPDATE agent SET extra_tokens = 10000000000000000 WHERE id = 1"],
])("starts and wakes all others where one %s cannot be read, and says it once", async (_, sql) => {
  const script = [on(1, escalate), on(2, blocked(4), ...work), on(3, ...work)];
  const { rig, by } = await breakable({ script }, true);
  await tell(rig, labeled(rig, 1), labeled(rig, 2));
  const due = { reason: "answer", detail: "@alice answers", grant: null, createdAt: 0 } as const;
  await rig.store.wakes.add({ ...due, key: "due", agentId: 1, dueAt: rig.clock.now() + MINUTE });
  await by(sql);
  await rig.pass(MINUTE);
  await tell(rig, closed(rig, 4), labeled(rig, 3));
  await rig.pass(MINUTE);
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("COMPLETED");
  expect(await stateOf(rig, "feat-dev-issue-3")).toBe("COMPLETED");
  expect(rig.runtime.opened.length).toBe(3);
  const said = rig.logged.filter(({ message }) => message.startsWith("database row not read"));
  expect(said).toHaveLength(1);
  await by("UPDATE agent SET extra_tokens = 0");
});

it("holds the agent whose wake cannot be read, until the operator kills it", async () => {
  const script = [on(1, blocked(2), ...work), on(1, ...work)];
  const { rig, by } = await breakable({ script }, true);
  await tell(rig, labeled(rig, 1));
  const { id: agentId } = await agentOf(rig);
  const due = { reason: "blocker", detail: "#2 was closed", grant: null, createdAt: 0 } as const;
  await rig.store.wakes.add({ ...due, key: "due", agentId, dueAt: rig.clock.now() + MINUTE });
  await by("UPDATE wake SET granted = '{}'");
  await rig.pass(MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["invariant"] });
  expect((await agentOf(rig)).reason).toContain("wake 1 cannot be read");
  await rig.engine.operations.resume(act);
  await rig.idle();
  expect((await agentOf(rig)).heldBy).toEqual(["invariant"]);
  await rig.engine.operations.kill({ ...act, id: "2" });
  await rig.engine.operations.revive({ ...act, id: "3" });
  await tell(rig, closed(rig, 2));
  expect((await rig.store.records.find("agent", { issue: 1 })).map(({ state }) => state)).toEqual([
    "CANCELLED",
    "COMPLETED",
  ]);
});
