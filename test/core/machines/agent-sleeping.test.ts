import { describe, expect, it } from "vitest";
import { leaseLost } from "../../../src/core/lease-lost.ts";
import { RUN_STATES } from "../../../src/core/machines/run.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "./agent-events.ts";
import { asked, commentOf, told, took } from "./agent-take.ts";

const RESTING = { state: "SLEEPING", sleepingSince: AT, activeSince: null, leaseUntil: null };

it("asleep for a model that did not answer, is not charged the time that it was asked", () => {
  const active = anAgent({ state: "ACTIVE", activeSince: AT - 10_000, activeMs: 5 });
  const waits = { reason: "provider_limit", dueAt: AT + 1 } as const;
  expect(took(active, agentEvent("WAIT", { ...waits, idleSince: AT - 4_000 })).snapshot.activeMs).toBe(6_005);
  expect(took(active, agentEvent("WAIT", waits)).snapshot.activeMs).toBe(10_005);
});

describe("an agent that goes to sleep", () => {
  it("adds the period that ends to its active time", () => {
    const agent = anAgent({ activeMs: HOUR, activeSince: AT - HOUR });
    expect(took(agent, agentEvent("WAIT")).snapshot).toMatchObject({ ...RESTING, activeMs: 2 * HOUR });
    const unsure = took({ ...agent, activeSince: null }, agentEvent("WAIT"));
    expect(unsure.snapshot.activeMs).toBe(HOUR);
    const backwards = took({ ...agent, activeSince: AT + HOUR }, agentEvent("WAIT"));
    expect(backwards.snapshot.activeMs).toBe(HOUR);
  });

  it("blocked: keeps its conversation, writes the dependency, names the blocker, looks once more", () => {
    const move = took(anAgent({ restarts: 2 }), agentEvent("BLOCKED"));
    expect(move.snapshot).toMatchObject({
      ...RESTING,
      sleepReason: "blocked",
      blockedBy: [7],
      restarts: 0,
      dueAt: null,
    });
    expect(asked(move)).toEqual([
      "keep session",
      "add_blocked_by",
      "comment feat-dev-issue-42-blocked-4",
      "status_comment",
      "recheck_blocker",
    ]);
    expect(commentOf(move)).toContain("#7");
    expect(commentOf(move)).toContain("needs the schema");
    expect(told(move)).toEqual(["run AGENT_NEEDED", "session REST"]);
    expect(move.emits).toMatchObject([{ event: { waitingFor: "#7" } }, { event: { reason: "blocked" } }]);
  });

  it.each([
    ["review", null, ["run INPUT_NEEDED", "task REQUEST_REVIEW"]],
    ["question", null, ["run INPUT_NEEDED"]],
    ["approval", null, ["run APPROVAL_NEEDED"]],
    ["approval", "max_turns", ["run STEP"]],
    ["retry", null, ["run ERROR"]],
    ["provider_limit", null, ["run ERROR"]],
    ["checks", null, []],
    ["restart", null, []],
    ["time", null, []],
  ] as const)("for %s (limit: %s) tells its run %j", (reason, breaker, run) => {
    const move = took(anAgent(), agentEvent("WAIT", { reason, breaker, dueAt: AT + HOUR }));
    expect(move.snapshot).toMatchObject({ ...RESTING, sleepReason: reason, breaker, dueAt: AT + HOUR });
    const session = { approval: "session AWAIT_APPROVAL", restart: "session STOP" };
    expect(told(move)).toEqual([
      ...run,
      reason === "approval" || reason === "restart" ? session[reason] : "session REST",
    ]);
    const ended = reason === "restart" ? "restart" : "waiting";
    expect(move.emits.at(-1)).toMatchObject({ event: { reason: ended } });
  });

  it("for a lease that was lost fails the conversation, and counts nothing", () => {
    const lost = { ...leaseLost(AT), around: surroundings() };
    const move = took(anAgent({ restarts: 1 }), lost);
    expect(move.snapshot).toMatchObject({ ...RESTING, sleepReason: "retry", dueAt: AT + 2_000, restarts: 1 });
    expect(told(move)).toEqual(["run ERROR", "session FAIL"]);
    expect(move.emits.at(-1)).toMatchObject({ event: { reason: "lease_lost" } });
  });

  it("tells its run what it waits for", () => {
    const detail = "which colour";
    expect(took(anAgent(), agentEvent("WAIT", { reason: "question", detail })).emits[0]).toMatchObject({
      event: { waitingFor: detail },
    });
    expect(took(anAgent(), agentEvent("WAIT", { reason: "approval", detail })).emits[0]).toMatchObject({
      event: { waitingFor: detail },
    });
    expect(took(anAgent(), agentEvent("WAIT", { reason: "retry", detail })).emits[0]).toMatchObject({
      event: { recoverable: true, error: detail },
    });
    const limit = agentEvent("WAIT", { reason: "approval", breaker: "max_turns" });
    expect(took(anAgent(), limit).emits[0]).toMatchObject({ event: { atLimit: true } });
  });

  it("after a crash counts it and marks the session as failed", () => {
    const move = took(anAgent({ restarts: 1 }), agentEvent("WAIT", { reason: "retry", crash: true }));
    expect(move.snapshot.restarts).toBe(2);
    expect(told(move)).toEqual(["run ERROR", "session FAIL"]);
    expect(move.emits[1]).toMatchObject({ event: { reason: "crashed" } });
    expect(took(anAgent({ restarts: 1 }), agentEvent("WAIT")).snapshot.restarts).toBe(1);
  });

  it("at a limit names it, and what a person can say", () => {
    const limit = { reason: "approval", breaker: "max_turns", detail: "50 of 50 turns are used" } as const;
    const move = took(anAgent(), agentEvent("WAIT", limit));
    expect(asked(move)).toEqual(["keep session", "comment feat-dev-issue-42-limit-4", "status_comment"]);
    expect(commentOf(move)).toContain("`max_turns`");
    expect(commentOf(move)).toContain("50 of 50 turns are used");
    expect(commentOf(move)).toContain("/flotilla continue");
    expect(asked(took(anAgent(), agentEvent("WAIT")))).toEqual(["keep session", "status_comment"]);
  });

  it("paused at work: is held by whoever paused it, once", () => {
    const move = took(anAgent({ heldBy: ["sprint"] }), agentEvent("PAUSE"));
    expect(move.snapshot).toMatchObject({
      ...RESTING,
      sleepReason: "paused",
      heldBy: ["sprint", "person"],
      reason: "paused by @alice",
    });
    expect(asked(move)).toEqual(["keep session", "status_comment"]);
    expect(told(move)).toEqual(["run PAUSE", "session PAUSE"]);
    expect(took(anAgent(), agentEvent("PAUSE", { holder: null })).snapshot.heldBy).toEqual([]);
    expect(took(anAgent({ heldBy: ["person"] }), agentEvent("PAUSE")).snapshot.heldBy).toEqual(["person"]);
  });

  it.each(["CREATED", "SLEEPING"] as const)("paused while %s: stays where it is, held", (state) => {
    const around = surroundings({ run: "waiting_agent" });
    const agent = anAgent({ state });
    const move = took(agent, agentEvent("PAUSE", { around, holder: "commit", why: "bob pushed" }));
    expect(move.snapshot).toEqual({ ...agent, heldBy: ["commit"], reason: "bob pushed" });
    expect(asked(move)).toEqual(["comment feat-dev-issue-42-foreign-4", "status_comment"]);
    expect(took(move.snapshot, agentEvent("PAUSE")).snapshot.heldBy).toEqual(["commit", "person"]);
  });

  it("paused for somebody else's commit says so once, with what a person can do", () => {
    const foreign = { holder: "commit", why: "@bob pushed" } as const;
    const move = took(anAgent(), agentEvent("PAUSE", foreign));
    expect(commentOf(move)).toMatch(/@bob pushed\. Nothing is pushed over that.*resume.*release/s);
    expect(asked(took({ ...move.snapshot, state: "SLEEPING" }, agentEvent("PAUSE", foreign)))).toEqual([
      "status_comment",
    ]);
    expect(asked(took(anAgent({ state: "SLEEPING" }), agentEvent("PAUSE")))).toEqual(["status_comment"]);
  });

  it.each([null, ...RUN_STATES])("paused while asleep pauses its run in %s only where that waits", (run) => {
    const around = surroundings({ run });
    const waits = run?.startsWith("waiting_") ?? false;
    const move = took(anAgent({ state: "SLEEPING" }), agentEvent("PAUSE", { around }));
    expect(told(move)).toEqual(waits ? ["run PAUSE", "session PAUSE"] : ["session PAUSE"]);
  });
});

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
      "label needs-human,escalation:decision",
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
      "label needs-human,escalation:expired",
      "comment feat-dev-issue-42-escalated-4",
      "status_comment",
    ]);
    expect(commentOf(move)).toContain("`max_sleep_duration`");
    expect(commentOf(move)).not.toContain("Question");
    expect(move.emits).toMatchObject([
      { machine: "run", event: { type: "TIMEOUT", error: "max_sleep_duration" } },
      { machine: "session", event: { type: "REST", reason: "limit:max_sleep_duration" } },
    ]);
  });
});
