import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { OutsideError, StaleSnapshot } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, decisionsOn, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, slowly } from "../scripts.ts";

const KEY = "acme/shop:feat-dev-issue-1";
const act = { agent: KEY, id: "a1", by: "operator:root", reason: null };
const tags = (from: number) => Array.from({ length: 11 }, (_, at) => `tag=t${from + at}`);
const SLOW = slowly(MINUTE, edit());
const { signal } = new AbortController();

async function asleep(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2), after("Message from", SLOW))] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, SLOW)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

/** The next transactions find that somebody else was faster. */
function stale(rig: Rig, times: number): void {
  let left = times;
  rig.onCall = (call) => {
    if (call !== "store.transaction" || left === 0) return;
    left -= 1;
    throw new StaleSnapshot("agent", 1);
  };
}

it("a message wakes a sleeper by itself, before any round of the clock", async () => {
  const rig = await asleep();
  // What is under way from before would wake it too.
  for (let round = 0; round < 50; round += 1) await turn();
  await rig.engine.operations.send({ agent: KEY, id: "m1", text: "Use port 80." });
  await rig.until("it is awake", async () => (await stateOf(rig)) === "ACTIVE");
  expect(await rig.store.decisions.ofIssue(7, 1, 10)).toMatchObject([{ rule: "persons_act" }]);
});

it("an agent that was changed at the same moment is not paused: the operator is told to ask again", async () => {
  const rig = await asleep();
  stale(rig, 1);
  await expect(rig.engine.operations.pause(act)).rejects.toMatchObject({
    code: "stale_snapshot",
    retryable: true,
  });
  expect(await rig.engine.operations.pause(act)).toMatchObject({ heldBy: ["person"] });
});

it("an attribute of an agent that ends at the same moment is not said to be set: the operator is told so", async () => {
  const rig = await asleep();
  const [killed, set] = await Promise.allSettled([
    rig.engine.operations.kill(act),
    rig.engine.operations.set({ ...act, id: "s1", set: ["tag=urgent"] }),
  ]);
  expect(killed.status).toBe("fulfilled");
  expect(set).toMatchObject({ status: "rejected", reason: { code: "stale_snapshot", retryable: true } });
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", tags: [] });
  expect(await decisionsOn(rig, 1)).not.toContain("marks_set");
});

it("an attribute that too many others came before is not said to be set", async () => {
  const rig = await asleep();
  const both = await Promise.allSettled([
    rig.engine.operations.set({ ...act, id: "s1", set: tags(0) }),
    rig.engine.operations.set({ ...act, id: "s2", set: tags(50) }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await agentOf(rig)).tags).toHaveLength(11);
});

it("a comment that sets an attribute of an agent that ends at the same moment is decided again", async () => {
  const rig = await asleep();
  const [cancel, set] = [said(rig, 1, "/flotilla cancel"), said(rig, 1, "/flotilla set tag=urgent")];
  const transaction = methodOf(rig.store, "transaction");
  const { promise: ended, resolve: ends } = Promise.withResolvers<void>();
  const { promise: held, resolve: holds } = Promise.withResolvers<void>();
  rig.store.transaction = async (work) => {
    rig.store.transaction = transaction;
    holds();
    await ended;
    return transaction(work);
  };
  const setting = rig.engine.handle(set);
  await held;
  await rig.engine.handle(cancel);
  ends();
  await setting;
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", tags: [] });
  expect(await decisionsOn(rig, 1)).toContain("nobody_concerned");
  expect(await decisionsOn(rig, 1)).not.toContain("marks_set");
});

it("of ten requests at once to continue one is taken, and the others are told so", async () => {
  const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...Array(9).fill(edit()))] });
  await tell(rig, labeled(rig, 1));
  const asked = Array.from({ length: 10 }, (_, at) =>
    rig.engine.operations.continue({ ...act, id: `c${at}`, amount: "3 turns" }),
  );
  const answers = await Promise.allSettled(asked);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const codes = answers.flatMap((answer) => (answer.status === "rejected" ? answer.reason.code : []));
  expect(codes.filter((code) => code !== "not_steered" && code !== "stale_snapshot")).toEqual([]);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ extraTurns: 3, turns: 5 });
});

it("the emergency stop asks again by itself where an agent was changed at the same moment", async () => {
  const rig = await atWork();
  stale(rig, 2);
  const stopped = await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
  expect(stopped.paused).toEqual(["feat-dev-issue-1"]);
});

it("the emergency stop passes over an agent that fell asleep meanwhile", async () => {
  const rig = await atWork();
  const find = methodOf(rig.store.records, "find");
  rig.store.records.find = async (machine, where) => {
    const found = await find(machine, where);
    rig.store.records.find = find;
    await rig.engine.operations.pause(act);
    return found;
  };
  const stopped = await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
  expect(stopped.paused).toEqual([]);
  expect(await rig.store.wakes.pending(1)).toEqual([]);
});

it("a wait of no time looks once, and says what it saw", async () => {
  const rig = await asleep();
  const waiting = rig.engine.operations.wait({ agent: KEY, states: ["COMPLETED"], withinMs: 0, signal });
  await expect(waiting).rejects.toMatchObject({ code: "wait_timeout", fault: { last: "SLEEPING (idle)" } });
});

it("a wait is ended by a failure from outside that does not pass by itself", async () => {
  const rig = await asleep();
  rig.onCall = (call) => {
    if (call === "store.repositories.byName")
      throw new OutsideError("unreadable", "a row cannot be read", { consequence: "stop" });
  };
  const waiting = rig.engine.operations.wait({ agent: KEY, states: ["SLEEPING"], withinMs: MINUTE, signal });
  await expect(waiting).rejects.toThrow("a row cannot be read");
});

it("what is no agent's key is not looked for", async () => {
  const rig = await aRig();
  await expect(rig.engine.operations.kill({ ...act, agent: "nonsense" })).rejects.toMatchObject({
    code: "invalid_argument",
    message: "agent: expected owner/name:agent, as `flotilla agents list` shows it",
  });
});
