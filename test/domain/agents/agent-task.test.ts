import { describe, expect, it } from "vitest";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import type { GuardContext } from "../../../src/domain/agents/agent-event.ts";
import { newestCommit } from "../../../src/domain/agents/agent-task.ts";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { told, took } from "../machines/agent-take.ts";

const HELD = ["CLAIMED", "READY_FOR_REVIEW", "REJECTED", "APPROVED", "INTEGRATION_FAILED"];

function around(task: GuardContext["task"], work: Partial<GuardContext["work"]> = {}): GuardContext {
  const usual = surroundings({ task, run: null });
  return { ...usual, work: { ...usual.work, ...work } };
}

const toTask = (moves: readonly string[]) => moves.filter((move) => move.startsWith("task "));

describe("a coder that goes to work", () => {
  it.each([
    ["UNCLAIMED", null, ["task CLAIM"]],
    ["REJECTED", 11, ["task RECLAIM"]],
    ["REJECTED", 8, ["task REASSIGN"]],
    ["INTEGRATION_FAILED", 8, ["task CLAIM_FIX"]],
  ] as const)(
    "takes a task in %s that coder %s had by %j, at its start and at a wake",
    (task, line, expected) => {
      const where = around(task, { line });
      const start = agentEvent("START", { around: where });
      expect(toTask(told(took(anAgent({ state: "CREATED" }), start)))).toEqual(expected);
      const wake = agentEvent("WAKE", { reason: "review", around: where });
      expect(toTask(told(took(anAgent({ state: "SLEEPING" }), wake)))).toEqual(expected);
    },
  );

  it("is the coder whose attempt it reopened", () => {
    const reopened = anAgent({ id: 15, line: 8, state: "CREATED" });
    const start = agentEvent("START", { around: around("REJECTED", { line: 8 }) });
    const move = took(reopened, start);
    expect(move.emits[0]).toMatchObject({ event: { type: "RECLAIM", agentId: 15, line: 8, maxCycles: 5 } });
  });

  it.each(["CLAIMED", "READY_FOR_REVIEW", "APPROVED"] as const)("leaves a task in %s as it is", (task) => {
    const wake = agentEvent("WAKE", { reason: "answer", around: around(task) });
    expect(toTask(told(took(anAgent({ state: "SLEEPING" }), wake)))).toEqual([]);
  });

  it("does not wake to a task that needs replanning", () => {
    const wake = agentEvent("WAKE", { reason: "answer", around: around("BLOCKED") });
    expect(step(agentMachine, anAgent({ state: "SLEEPING" }), wake)).toMatchObject({
      ok: false,
      rule: "task",
      keeps: true,
    });
    const other = anAgent({ state: "SLEEPING", coder: false });
    expect(step(agentMachine, other, wake)).toMatchObject({ ok: true });
  });

  it("after a person's word takes a task that needed replanning as a new one", () => {
    const resume = agentEvent("RESUME", { around: around("BLOCKED") });
    expect(toTask(told(took(anAgent({ state: "ESCALATED" }), resume)))).toEqual([
      "task RESCOPE",
      "task CLAIM",
    ]);
  });

  it.each([
    [3, 3],
    [0, 5],
  ])("after a grant of %i rounds of review has %i of them", (rounds, count) => {
    const grant = { ...NO_GRANT, by: ["alice"], rounds };
    const resume = agentEvent("RESUME", { grant, around: around("BLOCKED") });
    const rescope = took(anAgent({ state: "ESCALATED" }), resume).emits.find(
      ({ machine }) => machine === "task",
    );
    expect(rescope).toMatchObject({ event: { rounds: { by: ["alice"], count, maxCycles: 5 } } });
  });

  it("is the only one that takes tasks", () => {
    const resume = agentEvent("RESUME", { around: around("REJECTED") });
    expect(toTask(told(took(anAgent({ state: "ESCALATED", coder: false }), resume)))).toEqual([]);
  });
});

describe("a coder that leaves", () => {
  it.each(TASK_STATES)("cancelled, with its task in %s, releases what it held", (task) => {
    const cancel = agentEvent("CANCEL", { around: around(task) });
    // A failed merge waits for whoever takes the fix over.
    const expected = HELD.includes(task) && task !== "INTEGRATION_FAILED" ? ["task RELEASE"] : [];
    expect(toTask(told(took(anAgent({ state: "SLEEPING" }), cancel)))).toEqual(expected);
  });

  it.each(TASK_STATES)(
    "ended by the operator, with its task in %s, also gives up what needs replanning",
    (task) => {
      const cancel = agentEvent("CANCEL", { around: around(task), givesUp: true });
      const released = HELD.includes(task) && task !== "INTEGRATION_FAILED" ? ["task RELEASE"] : [];
      const expected = task === "BLOCKED" ? ["task ABANDON"] : released;
      expect(toTask(told(took(anAgent({ state: "SLEEPING" }), cancel)))).toEqual(expected);
      expect(toTask(told(took(anAgent({ state: "SLEEPING", coder: false }), cancel)))).toEqual([]);
    },
  );

  it("ended by the operator gives up nothing of another that holds the task", () => {
    const cancel = agentEvent("CANCEL", { around: around("BLOCKED", { assigneeId: 12 }), givesUp: true });
    expect(toTask(told(took(anAgent({ state: "SLEEPING" }), cancel)))).toEqual([]);
  });

  it("takes nothing from another that holds the task", () => {
    const where = around("CLAIMED", { assigneeId: 12 });
    expect(toTask(told(took(anAgent(), agentEvent("CANCEL", { around: where }))))).toEqual([]);
    expect(toTask(told(took(anAgent(), agentEvent("FAIL", { around: where }))))).toEqual([]);
  });

  it.each([
    [[], ["task RELEASE"]],
    [[11], ["task RELEASE"]],
    [[8], ["task BLOCK"]],
    [[8, 11], ["task BLOCK"]],
  ])("failed after the failures of %j tells its task %j", (failedBy, expected) => {
    const fail = agentEvent("FAIL", { around: around("CLAIMED", { failedBy }) });
    const move = took(anAgent(), fail);
    expect(toTask(told(move))).toEqual(expected);
    expect(move.emits.at(-1)).toMatchObject({ event: { failed: 11 } });
  });

  it("failed while its work was under review releases the task: only a claimed one is blocked", () => {
    const fail = agentEvent("FAIL", { around: around("READY_FOR_REVIEW", { failedBy: [8] }) });
    expect(toTask(told(took(anAgent(), fail)))).toEqual(["task RELEASE"]);
  });
});

describe("the newest commit of a coder's work", () => {
  const reviewed = { line: 8, reviewCommit: "c0ffee" };
  it.each([
    ["is its own", { headCommit: "abc", prNumber: 50 }, "abc"],
    ["is the one that was up for review of the attempt that it continues", { prNumber: 50 }, "c0ffee"],
    ["is none where its pull request is closed", { prNumber: null }, null],
    ["is none of another coder", { prNumber: 50, line: 9 }, null],
  ])("%s", (_, fields, commit) => {
    const agent = anAgent({ id: 15, line: 8, headCommit: null, ...fields });
    expect(newestCommit(agent, reviewed)).toBe(commit);
    const complete = agentEvent("COMPLETE", {
      cause: "person",
      around: around("CLAIMED", { ...reviewed, assigneeId: 15 }),
    });
    expect(took(agent, complete).emits.filter(({ machine }) => machine === "task")).toMatchObject([
      { event: commit === null ? { type: "RELEASE" } : { type: "REQUEST_REVIEW", commit } },
    ]);
  });
});
