import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, answersTo, runOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { blocked, call, complete, edit, on, say, slowly, work } from "../scripts.ts";
import { callsOf, dataOf, eventsOf, story } from "../told.ts";

const plan = (text: string) => call("submit_plan", { plan: text });

it("tells a whole work in the order in which it happened", async () => {
  const rig = await aRig({ script: [on(1, { ...edit(), say: "I begin." }, ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  expect(await story(rig)).toEqual([
    "agent:starting",
    "run initializing",
    "run planning",
    "agent:step",
    "stream:token",
    "tool:start edit",
    "run executing",
    "tool:running edit",
    "tool:result edit success",
    "agent:step",
    "tool:start commit",
    "tool:running commit",
    "tool:result commit success",
    "agent:step",
    "tool:start open_pr",
    "tool:running open_pr",
    "tool:result open_pr success",
    "agent:step",
    "tool:start report_complete",
    "tool:running report_complete",
    "tool:result report_complete success",
    "run evaluating",
    "agent:completed",
    "run succeeded",
    "agent:cleanup",
    "agent:cleanup",
    "agent:cleanup",
  ]);
  expect(await dataOf(rig, "agent:cleanup")).toEqual([
    { what: "process" },
    { what: "conversation" },
    { what: "worktree" },
  ]);
  expect(await dataOf(rig, "stream:token")).toEqual([{ text: "I begin." }]);
});

it("gives each row agent, run, issue, turn and time, and ids that only grow", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const rows = await eventsOf(rig);
  const [agent, run] = [await agentOf(rig), await runOf(rig)];
  expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => index + 1));
  for (const row of rows.filter(({ agentId }) => agentId !== null))
    expect(row).toMatchObject({ agentId: agent.id, repositoryId: 7, issue: 1, at: rig.clock.now() });
  expect(rows.filter(({ runId }) => runId === run?.id).length).toBeGreaterThan(20);
  const steps = rows.filter(({ event }) => event.type === "agent:step");
  expect(steps.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
  const started = rows.filter(({ event }) => event.type === "tool:start");
  expect(started.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
  expect(run?.step).toBe(4);
});

it("tells every transition, in the transaction that made it", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const transitions = await rig.store.transitions.after(0, 1000);
  const moves = transitions.filter(({ event, from, to }) => event !== "STEP" || from !== to);
  expect(await dataOf(rig, "state:update")).toEqual(
    moves.map(({ machine, event, actor, from, to, reason }) =>
      expect.objectContaining({ machine, event, actor, from, to, reason }),
    ),
  );
  expect(await dataOf(rig, "agent:paused")).toMatchObject([{ state: "SLEEPING" }]);
});

it("tells no event of a move that was rolled back", async () => {
  const rig = await aRig();
  const failed = rig.store.transaction(async (tables) => {
    await tables.runEvents.add({
      at: 1,
      agentId: null,
      repositoryId: 7,
      issue: 1,
      event: { type: "stream:token", data: { text: "never" } },
    });
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect(await eventsOf(rig)).toEqual([]);
});

it("says of an error whether it passes", async () => {
  const rig = await aRig({ script: [on(1, { error: { status: 503, message: "later" } })] });
  await tell(rig, labeled(rig, 1));
  expect(await dataOf(rig, "agent:error")).toMatchObject([
    { code: "model_unavailable", recoverable: true, details: { move: "ERROR", phase: "planning" } },
  ]);
  expect(await runOf(rig)).toMatchObject({ state: "error", errorCode: "model_unavailable" });
});

it("counts no turn beyond the limit, neither as a step nor as an event", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxTurns: 2 }),
    script: [on(1, edit(), edit("b.ts"), edit("c.ts"))],
  });
  await tell(rig, labeled(rig, 1));
  expect(await dataOf(rig, "agent:step")).toEqual([
    { step: 1, current_turn: 1, max_turns: 2, progress: 0.5 },
    { step: 2, current_turn: 2, max_turns: 2, progress: 1 },
  ]);
  expect(await runOf(rig)).toMatchObject({ state: "waiting_approval", step: 2 });
});

it("keeps what is said for ten minutes, and everything else", async () => {
  const script = [
    on(1, { ...edit(), say: "First." }, slowly(30 * MINUTE, { ...complete, say: "Last." }), ...work),
  ];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it works", () => rig.runtime.requests.length === 2);
  await rig.until(
    "both turns are written",
    async () => (await story(rig)).filter((one) => one === "agent:step").length === 2,
  );
  expect(await dataOf(rig, "stream:token")).toEqual([{ text: "First." }]);
  const before = (await story(rig)).filter((one) => one !== "stream:token");
  await rig.work(12 * MINUTE);
  expect(await dataOf(rig, "stream:token")).toEqual([]);
  expect(await story(rig)).toEqual(before);
});

it("keeps a plan with the run and ends planning with it", async () => {
  const rig = await aRig({
    script: [
      on(1, call("submit_plan", { plan: "1. Build\n2. Test" }), slowly(MINUTE, edit()), ...work.slice(1)),
    ],
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it continues", () => rig.runtime.requests.length === 2);
  expect(await runOf(rig)).toMatchObject({ state: "executing", plan: "1. Build\n2. Test" });
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await runOf(rig)).toMatchObject({ state: "succeeded", plan: "1. Build\n2. Test" });
});

it("takes a new plan after a claim that did not hold, and none in the middle of the work", async () => {
  const rig = await aRig({
    script: [on(1, plan("A"), edit(), plan("B"), complete, plan("C"), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  expect((await runOf(rig))?.plan).toBe("C");
  expect(answersTo(rig).filter((answer) => /planning is over/i.test(answer))).toHaveLength(1);
});

it("tells what is said once, also when it comes without pieces", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, say("…")), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  const spec = rig.runtime.opened[0];
  spec?.onEvent({ type: "message", text: "All at once." });
  spec?.onEvent({ type: "message_delta", text: "Bit by " });
  spec?.onEvent({ type: "message_delta", text: "bit." });
  spec?.onEvent({ type: "message", text: "Bit by bit." });
  await rig.until("it is told", async () => (await dataOf(rig, "stream:token")).length === 2);
  expect(await dataOf(rig, "stream:token")).toEqual([{ text: "All at once." }, { text: "Bit by bit." }]);
});

it("gathers pieces for half a second", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, say("…")), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  const spec = rig.runtime.opened[0];
  for (let piece = 0; piece < 100; piece += 1) {
    spec?.onEvent({ type: "message_delta", text: `word${piece} ` });
    rig.clock.advance(20);
  }
  await rig.until("it is told", async () => (await dataOf(rig, "stream:token")).length >= 3);
  expect((await dataOf(rig, "stream:token")).length).toBeLessThanOrEqual(4);
});

it("tells how far an agent is by what people granted too", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxTurns: 2 }),
    script: [on(1, edit(), edit("b.ts"), edit("c.ts"), edit("d.ts"))],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla continue 2"));
  expect((await dataOf(rig, "agent:step")).at(-1)).toEqual({
    step: 4,
    current_turn: 4,
    max_turns: 4,
    progress: 1,
  });
});

it("tells a tool that failed as an error of its own, and the run continues", async () => {
  const fails = call("read_issue", { number: 99 });
  const rig = await aRig({ script: [on(1, edit(), fails, ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  const failed = (await callsOf(rig)).find(({ tool }) => tool === "read_issue");
  expect(await dataOf(rig, "agent:error")).toEqual([
    {
      code: "tool_failed",
      status: 500,
      error: failed?.output,
      recoverable: true,
      details: { tool: "read_issue", call: failed?.toolCallId },
    },
  ]);
  expect(failed?.output).toContain("99");
  const told = await story(rig);
  expect(told.slice(told.indexOf("tool:result read_issue failure"))[1]).toBe("agent:error");
  expect(await runOf(rig)).toMatchObject({ state: "succeeded", error: null, errorCode: null });
});

it("tells a call of a tool that the role does not have as an error, and one that waits for a person as none", async () => {
  const rig = await aRig({
    settings: { runtime: { ...someSettings().runtime, permissionMode: "ask" } },
    script: [on(1, call("web_fetch", { url: "https://example.org" }), call("bash", { command: "curl x" }))],
  });
  await tell(rig, labeled(rig, 1));
  expect((await callsOf(rig)).map(({ status }) => status)).toEqual(["denied", "pending"]);
  expect(await dataOf(rig, "agent:error")).toMatchObject([
    { code: "tool_not_allowed", recoverable: true, details: { tool: "web_fetch" } },
  ]);
  expect(await dataOf(rig, "approval:requested")).toMatchObject([
    { kind: "network", current_turn: 2, max_turns: 50, progress: 0.04 },
  ]);
});
