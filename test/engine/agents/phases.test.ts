import { expect, it } from "vitest";
import type { ToolGate } from "../../../src/domain/ports/agent-runtime.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, answersTo, decisionsOn, runOf, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { call, complete, edit, on, say, slowly, together, work } from "../scripts.ts";

const phase = async (rig: Rig) => (await runOf(rig))?.state;

/** Until the agent of issue 1 waits for its model, n requests in all. */
async function talking(rig: Rig, requests = 1): Promise<void> {
  await rig.engine.tick();
  await rig.until("it talks", () => rig.runtime.requests.length === requests);
}

/** An agent that is ACTIVE and thinks for a minute, and the gate that its calls pass. */
async function thinking(): Promise<{ rig: Rig; gate: ToolGate }> {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, say("Hm.")), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await talking(rig);
  return { rig, gate: rig.runtime.opened[0]?.gate ?? (() => ({ allow: true })) };
}

/** The Run's moves, in order. */
async function runMoves(rig: Rig): Promise<readonly string[]> {
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return moves
    .filter(({ machine, event }) => machine === "run" && event !== "STEP")
    .map(({ event }) => event);
}

it("plans while it only reads, and executes once a changing tool is let through", async () => {
  const { rig, gate } = await thinking();
  expect(await phase(rig)).toBe("planning");
  expect(await gate({ toolName: "view", args: {} })).toEqual({ allow: true });
  expect(await gate({ toolName: "read_issue", args: {} })).toEqual({ allow: true });
  expect(await phase(rig)).toBe("planning");
  expect(await gate({ toolName: "edit", args: {} })).toEqual({ allow: true });
  expect(await phase(rig)).toBe("executing");
});

it("holds a changing call until the row says executing, also when several come at once", async () => {
  const { rig, gate } = await thinking();
  const answers = ["edit", "bash", "commit"].map(async (toolName) => {
    const { allow } = await gate({ toolName, args: {} });
    return { allow, phase: await phase(rig) };
  });
  expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => ({ allow: true, phase: "executing" })));
  expect((await runMoves(rig)).filter((event) => event === "PLAN_COMPLETE")).toHaveLength(1);
  expect(await decisionsOn(rig)).toEqual([]);
});

it("lets no changing call through when the move cannot be written", async () => {
  const { rig, gate } = await thinking();
  const agent = await agentOf(rig);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect(await gate({ toolName: "edit", args: {} })).toMatchObject({ allow: false, endExchange: true });
  expect((await runMoves(rig)).includes("PLAN_COMPLETE")).toBe(false);
  expect(agent.state).toBe("ACTIVE");
});

it("changes nothing while the run is in another phase than executing", async () => {
  const { rig, gate } = await thinking();
  await rig.until("its turn is written", async () => (await runOf(rig))?.step === 1);
  const run = await runOf(rig);
  if (run === undefined) throw new Error("there is no run");
  await rig.store.transaction((tables) => tables.records.save("run", run, { ...run, state: "evaluating" }));
  expect(await gate({ toolName: "edit", args: {} })).toMatchObject({
    allow: false,
    reason: expect.stringContaining("evaluating"),
  });
  expect(await gate({ toolName: "view", args: {} })).toEqual({ allow: true });
});

it("refuses a tool that the role does not list, and counts the call", async () => {
  const script = [on(1, call("label", { label: "p1" }), call("web_fetch", { url: "x" }), ...work)];
  const rig = await aRig({ script });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig).slice(0, 2)).toEqual([
    "tool_not_allowed: this agent of feat-dev has no tool label.",
    "tool_not_allowed: this agent of feat-dev has no tool web_fetch.",
  ]);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", toolCalls: 6 });
});

it("goes through planning, executing, evaluating and adapting, each written before the next", async () => {
  const rig = await aRig({ script: [on(1, edit(), complete, say("Let me see."), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  expect(await runMoves(rig)).toEqual([
    "START",
    "INIT_COMPLETE",
    "PLAN_COMPLETE",
    "STEP_COMPLETE",
    "EVALUATION_FAIL",
    "ADAPTATION_COMPLETE",
    "STEP_COMPLETE",
    "EVALUATION_PASS",
  ]);
});

it.each([
  ["planning", [slowly(MINUTE, edit())]],
  ["executing", [edit(), slowly(MINUTE, edit("more.ts"))]],
  ["adapting", [edit(), complete, slowly(MINUTE, edit("more.ts"))]],
] as const)("resumes in %s after a crash in it", async (expected, steps) => {
  const rig = await aRig({ script: [on(1, ...steps, ...work.slice(1))] });
  await rig.engine.handle(labeled(rig, 1));
  await talking(rig, steps.length);
  expect(await phase(rig)).toBe(expected);
  await rig.restart();
  expect(await phase(rig)).toBe(expected);
  await talking(rig, steps.length + 1);
  expect(await phase(rig)).toBe(expected);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("several calls of one turn pass the gate together", async () => {
  const rig = await aRig({ script: [on(1, together(edit(), edit("b.ts"), call("view")), ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", toolCalls: 7 });
  expect(await decisionsOn(rig)).toEqual([]);
});
