import { expect, it } from "vitest";
import { limitsOf } from "../limits-of.ts";
import { agentOf, answersTo, commentsOn, runOf, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, edit, escalate, on, say, slowly, work } from "../scripts.ts";

const edits = (count: number) => Array.from({ length: count }, (_, index) => edit(`file-${index}.ts`));

it("denies the tool call after max_tool_calls, gives one exchange to wrap up, then asks a person", async () => {
  const script = [on(1, ...edits(4), say("What now?"))];
  const rig = await aRig({ settings: limitsOf({ maxToolCalls: 3 }), script });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tool_calls", toolCalls: 3 });
  expect(answersTo(rig).at(-1)).toContain("max_tool_calls (3)");
  expect(toldTo(rig)[1]).toContain("You have reached the limit max_tool_calls");
  expect(toldTo(rig)).toHaveLength(2);
  expect(commentsOn(rig).join()).toContain("max_tool_calls");
});

it("lets a work of exactly max_tool_calls and max_turns come to its end", async () => {
  const rig = await aRig({ settings: limitsOf({ maxToolCalls: 4, maxTurns: 4 }), script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", turns: 4, toolCalls: 4, breaker: null });
});

it("honours a report in the exchange that wraps up", async () => {
  const script = [on(1, ...edits(3), after("reached the limit max_tool_calls", escalate))];
  const rig = await aRig({ settings: limitsOf({ maxToolCalls: 2 }), script });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "decision", breaker: null });
});

it("runs no other tool in the exchange that wraps up", async () => {
  const script = [on(1, ...edits(3), after("reached the limit max_tool_calls", edit("late.ts")), escalate)];
  const rig = await aRig({ settings: limitsOf({ maxToolCalls: 2 }), script });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tool_calls", toolCalls: 2 });
});

it("raises max_tool_calls by half when a person resumes it without a figure", async () => {
  const script = [on(1, ...edits(3), say("…"), after("You are awake again", edit()), ...edits(9))];
  const rig = await aRig({ settings: limitsOf({ maxToolCalls: 2 }), script });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", toolCalls: 3, extensions: 1 });
});

it("stops at max_turns for a person's word, and names the limit", async () => {
  const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...edits(5))] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", turns: 2 });
  expect((await runOf(rig))?.state).toBe("waiting_approval");
  expect(commentsOn(rig).join()).toContain("max_turns");
  expect(commentsOn(rig).join()).toContain("2 of 2 turns");
});

it("continues with exactly the turns that a person grants", async () => {
  const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...edits(9))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla continue 3"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", turns: 5 });
  await tell(rig, said(rig, 1, "/flotilla continue"));
  expect(await agentOf(rig)).toMatchObject({ turns: 7, extraTurns: 5 });
});

it("gives no more turns at once than turn_ceiling, however many people grant them before it wakes", async () => {
  const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...edits(9))] });
  await tell(rig, labeled(rig, 1));
  const dueAgents = methodOf(rig.store.wakes, "dueAgents");
  const { promise: both, resolve: bothSaid } = Promise.withResolvers<void>();
  rig.store.wakes.dueAgents = async (now) => {
    await both;
    return dueAgents(now);
  };
  const comments = [said(rig, 1, "/flotilla continue 150"), said(rig, 1, "/flotilla continue 150")];
  await Promise.all(comments.map((one) => rig.engine.handle(one)));
  bothSaid();
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ extraTurns: 200 });
});

it("adds up what people grant before it wakes", async () => {
  const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...edits(9))] });
  await tell(rig, labeled(rig, 1));
  const first = said(rig, 1, "/flotilla continue 3");
  const both = Promise.all([
    rig.engine.handle(first),
    rig.engine.handle(said(rig, 1, "/flotilla continue 1")),
  ]);
  const dueAgents = methodOf(rig.store.wakes, "dueAgents");
  rig.store.wakes.dueAgents = async (now) => {
    await both;
    return dueAgents(now);
  };
  await both;
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ turns: 6, extraTurns: 4 });
});

it("lets a message alone not end the wait for a person's word", async () => {
  const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script: [on(1, ...edits(9))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "@flotilla how is it going?"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await tell(rig, said(rig, 1, "/flotilla continue 1"));
  expect(toldTo(rig).at(-1)).toContain("how is it going?");
});

it("takes the limits of the role where it has its own", async () => {
  const settings = limitsOf({ maxTurns: 3 }, { "bug-fix": { maxTurns: 1 } });
  const rig = await aRig({ settings, script: [on(1, ...edits(9)), on(2, ...edits(9))] });
  await tell(rig, labeled(rig, 1), labeled(rig, 2, { label: "bug" }));
  expect((await agentOf(rig)).turns).toBe(3);
  expect((await agentOf(rig, "bug-fix-issue-2")).turns).toBe(1);
});

it("keeps its counts over a restart of the host", async () => {
  const script = [on(1, edit("a.ts"), edit("b.ts"), slowly(1000, edit("c.ts")), ...edits(9))];
  const rig = await aRig({ settings: limitsOf({ maxTurns: 4 }), script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("the third turn", () => rig.runtime.requests.length === 3);
  await rig.until("it is counted", async () => (await agentOf(rig)).turns === 3);
  await rig.restart();
  rig.clock.advance(1000);
  await rig.until("it talks", () => rig.runtime.requests.length === 4);
  rig.clock.advance(1000);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", turns: 4 });
});
