import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, historyOf, runOf, stateOf, statusComments, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, blocked, edit, on, slowly, work } from "../scripts.ts";

const slow = on(1, slowly(MINUTE, edit()), after("You are awake again", edit("late.ts")), ...work.slice(1));
const everything = { scope: "all", by: "alice", reason: "too dear" } as const;
const here = { scope: `repository:${REPOSITORY.id}`, by: "bob", reason: null } as const;

/** One agent at work on issue 1, which takes a minute for its first call. */
async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [slow, on(2, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

it("puts every agent at work to sleep, ends its process, and says who and why", async () => {
  const rig = await atWork();
  const stopped = await rig.engine.operations.pauseScope(everything);
  expect(stopped).toEqual({ news: true, paused: ["feat-dev-issue-1"], stillStopping: 0 });
  expect(rig.runtime.running.size).toBe(0);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: [] });
  expect((await runOf(rig))?.state).toBe("paused");
  expect(await rig.store.records.slotsInUse()).toBe(0);
  expect(statusComments(rig).at(-1)).toContain("everything is paused by alice: too dear");
});

it("starts and wakes nothing while it stands, each with one decision that names what lifts it", async () => {
  const rig = await aRig({
    script: [on(1, blocked(3), after("which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  await rig.engine.operations.pauseScope(everything);
  await tell(rig, labeled(rig, 2), closed(rig, 3));
  for (let round = 0; round < 3; round += 1) await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CREATED");
  expect(await decisionsOn(rig, 1)).toEqual(["held"]);
  expect(await decisionsOn(rig, 2)).toEqual(["held"]);
  const [decision] = await rig.store.decisions.ofIssue(REPOSITORY.id, 2, 1);
  expect(decision?.reason).toContain("everything is paused by alice: too dear");
  expect(decision?.change).toBe("`flotilla resume --all` lifts it");
});

it("continues from where it was once no pause is left", async () => {
  const rig = await atWork();
  await rig.engine.operations.pauseScope(everything);
  await rig.engine.operations.pauseScope(here);
  await rig.idle();
  expect(await rig.engine.operations.resumeScope({ scope: "all", by: "alice" })).toBe(true);
  await rig.idle();
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await rig.engine.operations.resumeScope({ scope: here.scope, by: "alice" })).toBe(true);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect((await agentOf(rig)).wakes).toBe(0);
  expect(toldTo(rig)[1]).toContain("everything is paused by alice");
  expect(await rig.engine.operations.resumeScope({ scope: "all", by: "alice" })).toBe(false);
});

it("does not let go what a person paused on its own", async () => {
  const rig = await atWork();
  await rig.engine.operations.pauseScope(everything);
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("leaves other repositories alone", async () => {
  const rig = await atWork();
  const stopped = await rig.engine.operations.pauseScope({ ...here, scope: "repository:99" });
  expect(stopped).toEqual({ news: true, paused: [], stillStopping: 0 });
  expect(rig.runtime.running.size).toBe(1);
  expect(await stateOf(rig)).toBe("ACTIVE");
});

it("holds over a restart of the host", async () => {
  const rig = await atWork();
  await rig.store.scopePauses.add({ ...everything, holder: "person", since: 1 });
  await rig.restart();
  await rig.pass(MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("starts no process for an agent that was paused while its worktree was prepared", async () => {
  const rig = await aRig({ script: [slow] });
  const prepare = methodOf(rig.worktrees, "prepare");
  rig.worktrees.prepare = async (...args) => {
    await rig.engine.operations.pauseScope(everything);
    return prepare(...args);
  };
  await tell(rig, labeled(rig, 1));
  expect(rig.runtime.opened).toHaveLength(0);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("does not wait for a process that will not end longer than 15 s", async () => {
  const rig = await aRig({ script: [slow] });
  const open = methodOf(rig.runtime, "open");
  let stops = 0;
  const stop = () => {
    stops += 1;
    return new Promise<never>(() => {});
  };
  rig.runtime.open = async (spec) => ({ ...(await open(spec)), stop });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  let over = false;
  const stopping = rig.engine.operations.pauseScope(everything).finally(() => {
    over = true;
  });
  await rig.until("its process is told to end", () => stops > 0);
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.clock.advance(14_999);
  for (let round = 0; round < 50; round += 1) await turn();
  expect(over).toBe(false);
  rig.clock.advance(1);
  expect(await stopping).toMatchObject({ stillStopping: 1 });
});

it("lets no sleep expire while it stands", async () => {
  const rig = await atWork();
  await rig.engine.operations.pauseScope(everything);
  await rig.pass(25 * HOUR);
  await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(rig.logged.filter(({ message }) => message === "the watchdog acts")).toEqual([]);
});

it("is in the status comment of one that sleeps for something else, and goes from it with its end", async () => {
  const rig = await aRig({ script: [on(1, blocked(3))] });
  await tell(rig, labeled(rig, 1));
  await rig.engine.operations.pauseScope(everything);
  await rig.idle();
  expect(statusComments(rig)[0]).toContain("(held: everything is paused by alice: too dear)");
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.idle();
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(statusComments(rig)[0]).toContain("waits for #3 to be closed |");
});
