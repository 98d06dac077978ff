import { describe, expect, it } from "vitest";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import { COUNTED_WAKES, WAKE_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { asked, commentOf, told, took } from "../machines/agent-take.ts";

const sleeper = anAgent({
  state: "SLEEPING",
  sleepReason: "blocked",
  blockedBy: [7],
  dueAt: AT,
  nudges: 1,
  breaker: "max_turns",
  reason: "paused by @alice",
  token: 4,
  sessionCount: 1,
});

describe("a wake", () => {
  it("opens a period under a new fencing token and forgets why it slept", () => {
    const move = took(sleeper, agentEvent("WAKE"));
    expect(move.snapshot).toMatchObject({
      state: "ACTIVE",
      activeSince: AT,
      lastActivityAt: AT,
      node: "host-1",
      sleepingSince: null,
      sleepReason: null,
      dueAt: null,
      blockedBy: [],
      nudges: 0,
      breaker: null,
      reason: null,
      leaseUntil: AT + HOUR,
      token: 5,
    });
    expect(asked(move)).toEqual(["open_session", "status_comment"]);
    expect(told(move).at(-1)).toBe("session START");
  });

  it("continues with the same conversation, or counts a new one", () => {
    const same = { ...sleeper, sessionId: "flotilla-0123456789abcdef-1" };
    const again = took(same, agentEvent("WAKE", { sessionId: "flotilla-0123456789abcdef-1" }));
    expect(again.snapshot).toMatchObject({ sessionId: "flotilla-0123456789abcdef-1", sessionCount: 1 });
    const fresh = took(same, agentEvent("WAKE", { sessionId: "flotilla-0123456789abcdef-2" }));
    expect(fresh.snapshot).toMatchObject({ sessionId: "flotilla-0123456789abcdef-2", sessionCount: 2 });
  });

  it.each(WAKE_REASONS)("by %s is counted only if that reason counts", (reason) => {
    const { snapshot } = took({ ...sleeper, wakes: 2 }, agentEvent("WAKE", { reason }));
    expect(snapshot.wakes).toBe(COUNTED_WAKES.includes(reason) ? 3 : 2);
  });

  it("counts a blocker, checks, time and a moved base, and nothing that a person did", () => {
    expect(COUNTED_WAKES).toEqual(["blocker", "checks", "time", "base_moved"]);
  });

  it("adds what a person granted to what was granted before", () => {
    const grant = { ...NO_GRANT, turns: 20, toolCalls: 5, wakes: 1 };
    const before = { ...sleeper, extraTurns: 1, extraToolCalls: 2, extraWakes: 3 };
    expect(took(before, agentEvent("WAKE", { grant })).snapshot).toMatchObject({
      extraTurns: 21,
      extraToolCalls: 7,
      extraWakes: 4,
    });
  });

  it.each([
    ["waiting_input", "answer", ["run INPUT_RECEIVED"]],
    ["waiting_agent", "blocker", ["run AGENT_COMPLETE"]],
    ["waiting_agent", "message", ["run AGENT_COMPLETE"]],
    ["waiting_approval", "approval", ["run CONTINUE"]],
    ["error", "retry", ["run RETRY"]],
    ["paused", "resumed", ["run RESUME"]],
    ["evaluating", "message", ["run NEXT_STEP"]],
    ["evaluating", "restart", []],
    ["executing", "restart", []],
    ["failed", "answer", ["run RESET", "run START"]],
    ["idle", "answer", ["run START"]],
    [null, "answer", []],
  ] as const)("with the run in %s by %s tells it %j", (run, reason, expected) => {
    const move = took(sleeper, agentEvent("WAKE", { reason, around: surroundings({ run }) }));
    expect(told(move)).toEqual([...expected, "session START"]);
  });

  it.each([
    ["granted", "run APPROVE"],
    ["denied", "run DENY"],
  ] as const)("a call that was %s says %s to the run", (verdict, expected) => {
    const around = surroundings({ run: "waiting_approval", verdict });
    expect(told(took(sleeper, agentEvent("WAKE", { reason: "approval", around })))[0]).toBe(expected);
  });

  it("too many is a person's affair and names the limit", () => {
    const move = took({ ...sleeper, wakes: 5 }, agentEvent("WAKE", { reason: "blocker" }));
    expect(move.snapshot).toMatchObject({
      state: "ESCALATED",
      sleepReason: null,
      sleepingSince: AT,
      category: "limit",
      breaker: "max_iterations",
      wakes: 5,
    });
    expect(asked(move)).toEqual([
      "label needs-human",
      "comment feat-dev-issue-42-escalated-4",
      "status_comment",
    ]);
    expect(commentOf(move)).toContain("woken 5 times");
    expect(commentOf(move)).not.toContain("Question");
    expect(told(move)).toEqual(["run MAX_ITERATIONS", "session REST"]);
    expect(move.emits.at(-1)).toMatchObject({ event: { reason: "limit:max_iterations" } });
  });
});

describe("a wake of one that waits for a person's approval", () => {
  const waiting = anAgent({ state: "SLEEPING", sleepReason: "approval", breaker: "max_turns" });

  it.each(WAKE_REASONS.filter((reason) => reason !== "approval"))(
    "is kept when its reason is %s",
    (reason) => {
      const wake = agentEvent("WAKE", { reason });
      expect(step(agentMachine, waiting, wake)).toMatchObject({ ok: false, rule: "own_wake", keeps: true });
    },
  );

  it("comes with the approval", () => {
    expect(took(waiting, agentEvent("WAKE", { reason: "approval" })).snapshot.state).toBe("ACTIVE");
  });
});

describe("an escalated agent that continues", () => {
  const stopped = anAgent({
    state: "ESCALATED",
    category: "decision",
    restarts: 3,
    token: 4,
    extraTurns: 0,
  });

  it("opens a period, takes the label away and forgets what stopped it", () => {
    const around = surroundings({ run: "waiting_input" });
    const move = took(stopped, agentEvent("RESUME", { around }));
    expect(move.snapshot).toMatchObject({
      state: "ACTIVE",
      token: 5,
      reason: null,
      category: null,
      breaker: null,
      restarts: 0,
      extensions: 0,
    });
    expect(asked(move)).toEqual(["unlabel needs-human", "open_session", "status_comment"]);
    expect(told(move)).toEqual(["run INPUT_RECEIVED", "session START"]);
  });

  it("starts its run again when that had failed at a limit", () => {
    const move = took(stopped, agentEvent("RESUME", { around: surroundings({ run: "failed" }) }));
    expect(told(move)).toEqual(["run RESET", "run START", "session START"]);
  });

  it.each([
    ["max_turns", { extraTurns: 25, extraToolCalls: 0, extraWakes: 0 }],
    ["max_tool_calls", { extraTurns: 0, extraToolCalls: 100, extraWakes: 0 }],
    ["max_iterations", { extraTurns: 0, extraToolCalls: 0, extraWakes: 3 }],
    ["max_tokens", { extraTurns: 0, extraTokens: 1_000_000 }],
    ["max_active_duration", { extraActiveMs: 3_600_000, extraTokens: 0 }],
    ["max_sleep_duration", { extraTurns: 0, extraToolCalls: 0, extraWakes: 0 }],
  ])("after %s gets half of that limit again when nobody says how much", (breaker, extra) => {
    const { snapshot } = took({ ...stopped, breaker }, agentEvent("RESUME"));
    expect(snapshot).toMatchObject({ ...extra, extensions: 1 });
  });

  it("gets what a person says instead, and that counts as no extension", () => {
    const grant = { ...NO_GRANT, turns: 0, toolCalls: 7, wakes: 0 };
    const { snapshot } = took({ ...stopped, breaker: "max_tool_calls" }, agentEvent("RESUME", { grant }));
    expect(snapshot).toMatchObject({ extraToolCalls: 7, extensions: 0 });
  });
});

describe("a hold that is lifted", () => {
  const lift = agentEvent("RESUME");

  it("leaves the others' holds", () => {
    const held = { ...sleeper, heldBy: ["person", "sprint", "commit"] as const };
    const move = took({ ...held, heldBy: [...held.heldBy] }, lift);
    expect(move.snapshot).toEqual({ ...sleeper, heldBy: ["sprint"] });
    expect(asked(move)).toEqual(["status_comment"]);
    expect(told(move)).toEqual(["session PAUSE"]);
  });

  it.each([
    ["paused", "blocked", ["person"], ["run RESUME", "session REST"]],
    ["paused", "paused", ["person"], ["session PAUSE"]],
    ["paused", "blocked", ["person", "sprint"], ["session PAUSE"]],
    ["waiting_agent", "blocked", ["person"], ["session REST"]],
    ["waiting_approval", "approval", ["person"], ["session AWAIT_APPROVAL"]],
  ] as const)("with the run %s, asleep for %s, held by %j tells %j", (run, sleepReason, heldBy, expected) => {
    const event = { ...lift, around: surroundings({ run }) };
    expect(told(took({ ...sleeper, sleepReason, heldBy: [...heldBy] }, event))).toEqual(expected);
  });
});

describe("an escalated agent that is held", () => {
  const held = anAgent({ state: "ESCALATED", heldBy: ["sprint"] });

  it("is let go of by its holder, and still waits for a person", () => {
    const lifted = took(held, agentEvent("RESUME", { holders: ["sprint"] }));
    expect(lifted.snapshot).toMatchObject({ state: "ESCALATED", heldBy: [] });
    expect(took(lifted.snapshot, agentEvent("RESUME")).snapshot.state).toBe("ACTIVE");
  });

  it("does not continue while it is held, nor because a holder leaves that does not hold it", () => {
    expect(step(agentMachine, held, agentEvent("RESUME"))).toMatchObject({ rule: "held", keeps: true });
    expect(step(agentMachine, held, agentEvent("RESUME", { holders: ["person"] }))).toMatchObject({
      ok: false,
    });
  });
});

describe("a handoff", () => {
  it("continues in a new conversation without a pause", () => {
    const agent = anAgent({ sessionCount: 1, token: 4 });
    const move = took(agent, agentEvent("HANDOFF"));
    expect(move.snapshot).toEqual({ ...agent, sessionId: "flotilla-0123456789abcdef-2", sessionCount: 2 });
    expect(asked(move)).toEqual(["open_session"]);
    expect(told(move)).toEqual(["session STOP", "session START"]);
    expect(move.emits).toMatchObject([{ of: "before", event: { reason: "handoff" } }, {}]);
  });
});
