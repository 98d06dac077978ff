import { describe, expect, it } from "vitest";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { asked, commentOf, told, took } from "../machines/agent-take.ts";

describe("an escalation", () => {
  it("from work keeps everything, labels the issue, says the reason and the question", () => {
    const move = took(anAgent(), agentEvent("ESCALATE"));
    expect(move.snapshot).toMatchObject({
      state: "ESCALATED",
      activeSince: null,
      leaseUntil: null,
      sleepReason: null,
      sleepingSince: AT,
      activeMs: HOUR,
      reason: "The specification contradicts itself.",
      category: "decision",
      breaker: null,
      sessionId: "flotilla-0123456789abcdef-1",
      worktreePath: "/data/worktrees/7/feat-dev-issue-42",
    });
    expect(asked(move)).toEqual([
      "keep session",
      "label needs-human",
      "comment feat-dev-issue-42-escalated-4",
      "status_comment",
    ]);
    expect(commentOf(move)).toContain("The specification contradicts itself.");
    expect(commentOf(move)).toContain("Which colour?");
    expect(commentOf(move)).toContain("@oncall");
  });

  it("from sleep has no process to stop, and its conversation rests", () => {
    const around = surroundings({ run: "waiting_input" });
    const move = took(anAgent({ state: "SLEEPING", dueAt: AT }), agentEvent("ESCALATE", { around }));
    expect(move.snapshot.dueAt).toBeNull();
    expect(asked(move)).not.toContain("keep session");
    expect(told(move)).toEqual(["session REST"]);
    const held = took(anAgent({ state: "SLEEPING", heldBy: ["sprint"] }), agentEvent("ESCALATE", { around }));
    expect(told(held)).toEqual(["session PAUSE"]);
  });

  it.each([
    ["executing", null, "run INPUT_NEEDED"],
    ["evaluating", null, "run INPUT_NEEDED"],
    ["planning", null, "run STEP_FAILED"],
    ["executing", "max_tool_calls", "run STEP_FAILED"],
    ["waiting_input", "max_tool_calls", undefined],
    ["failed", "max_bounces", undefined],
    ["succeeded", null, undefined],
    ["cancelled", null, undefined],
    ["idle", null, undefined],
    [null, null, undefined],
  ] as const)("with the run in %s and limit %s tells it %s", (run, breaker, expected) => {
    const move = took(anAgent(), agentEvent("ESCALATE", { breaker, around: surroundings({ run }) }));
    expect(told(move).find((text) => text.startsWith("run"))).toBe(expected);
  });

  it("says in the session's record how it ended", () => {
    expect(took(anAgent(), agentEvent("ESCALATE")).emits[0]).toMatchObject({
      machine: "session",
      event: { type: "REST", reason: "escalated" },
    });
    const limit = agentEvent("ESCALATE", { breaker: "max_tool_calls" });
    expect(took(anAgent(), limit).emits[0]).toMatchObject({ event: { reason: "limit:max_tool_calls" } });
  });
});

it("an escalation after the last round of review says how to get out of it, with as many rounds as a word gives", () => {
  const usual = surroundings({ task: "BLOCKED" });
  const around = { ...usual, work: { ...usual.work, maxCycles: 3 } };
  const deadlock = agentEvent("ESCALATE", { category: "review_deadlock", question: null, around });
  const text = commentOf(took(anAgent({ prNumber: 50 }), deadlock));
  expect(text).toContain("`/flotilla resume` lets it continue with 3 more rounds of review");
  expect(text).toContain("merge #50 if it is good as it is");
  expect(commentOf(took(anAgent({ prNumber: 50 }), agentEvent("ESCALATE")))).not.toContain(
    "rounds of review",
  );
});

describe("an agent that says that its task needs replanning", () => {
  const replanning = { reason: "Two things.", replanner: { agent: null, role: "planner" } };
  const asks = agentEvent("ESCALATE", { replanning, reason: "its task needs replanning: Two things." });

  it("waits for that, and its task is blocked for its own reason", () => {
    const move = took(anAgent({ id: 11 }), asks);
    expect(move.snapshot.state).toBe("ESCALATED");
    expect(told(move)).toEqual(["session REST", "run INPUT_NEEDED", "task BLOCK"]);
    expect(move.emits.at(-1)).toMatchObject({ event: { cause: "replanning", reason: "Two things." } });
    expect(commentOf(move)).toContain("`/flotilla start planner`");
  });

  it.each([
    ["is another's", anAgent({ id: 12 }), "CLAIMED", "its task is CLAIMED and not in work"],
    ["is no coder's", anAgent({ coder: false }), "CLAIMED", "its task is CLAIMED and not in work"],
    ["is under review", anAgent(), "READY_FOR_REVIEW", "its task is READY_FOR_REVIEW and not in work"],
    ["is not there", anAgent(), null, "its task is missing and not in work"],
  ] as const)("is refused where that %s", (_, agent, task, reason) => {
    const event = { ...asks, around: surroundings({ task }) };
    expect(step(agentMachine, agent, event)).toMatchObject({ ok: false, rule: "not_in_work", reason });
  });
});

describe("an end of a paused run", () => {
  const around = surroundings({ run: "paused", task: null });
  const sleeper = anAgent({ state: "SLEEPING", sleepReason: "paused" });

  it("goes back to where it was first, which is where it fails", () => {
    expect(told(took(sleeper, agentEvent("EXPIRE", { around })))).toEqual([
      "run RESUME",
      "run TIMEOUT",
      "session REST",
    ]);
    const limit = agentEvent("ESCALATE", { around, breaker: "max_tokens" });
    expect(told(took(sleeper, limit))).toEqual(["session REST", "run RESUME", "run STEP_FAILED"]);
    const wake = agentEvent("WAKE", { around, reason: "blocker" });
    expect(told(took({ ...sleeper, wakes: 5 }, wake))).toEqual([
      "run RESUME",
      "run MAX_ITERATIONS",
      "session REST",
    ]);
  });
});

describe("a sleep past its deadline", () => {
  it("becomes a person's affair and names the limit", () => {
    const sleeper = anAgent({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [7], dueAt: AT });
    const move = took(sleeper, agentEvent("EXPIRE"));
    expect(move.snapshot).toMatchObject({
      state: "ESCALATED",
      sleepReason: null,
      sleepingSince: AT,
      dueAt: null,
      category: "expired",
      breaker: "max_sleep_duration",
    });
    expect(move.snapshot.reason).toContain("#7");
    expect(asked(move)).toEqual([
      "label needs-human",
      "comment feat-dev-issue-42-escalated-4",
      "status_comment",
    ]);
    expect(commentOf(move)).toContain("`max_sleep_duration`");
    expect(commentOf(move)).not.toContain("Question");
    expect(move.emits).toMatchObject([
      { machine: "run", event: { type: "TIMEOUT", code: "max_sleep_duration" } },
      { machine: "session", event: { type: "REST", reason: "limit:max_sleep_duration" } },
    ]);
  });
});
