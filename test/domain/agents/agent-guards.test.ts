import { describe, expect, it } from "vitest";
import { agentMachine, newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { ResolvedAgentEvent } from "../../../src/domain/agents/agent-event.ts";
import { AGENT_STATES, type AgentRecord, SLEEP_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { refused } from "../machines/moved.ts";

const PAUSED = { by: "pause", what: "the repository is paused", ends: "`flotilla resume`" } as const;

const take = (agent: AgentRecord | undefined, event: ResolvedAgentEvent) =>
  step(agentMachine, agent, event, newAgentRecord);
const sleeping = (overrides: Partial<AgentRecord> = {}) => anAgent({ state: "SLEEPING", ...overrides });
const created = (overrides: Partial<AgentRecord> = {}) => anAgent({ state: "CREATED", ...overrides });
const escalated = (overrides: Partial<AgentRecord> = {}) => anAgent({ state: "ESCALATED", ...overrides });

describe("an agent is not created", () => {
  it.each(["CREATE", "REVIVE", "REOPEN"] as const)("by %s beside a rival", (type) => {
    const around = surroundings({ rival: "bug-fix-issue-42" });
    expect(take(undefined, agentEvent(type, { around }))).toMatchObject({
      code: "guard_refused",
      rule: "rival",
      reason: "bug-fix-issue-42 already works on this issue",
      keeps: false,
    });
  });

  it("against a limit of starts", () => {
    expect(take(undefined, agentEvent("CREATE", { limit: "6 starts in an hour" }))).toMatchObject({
      rule: "storm",
      reason: "6 starts in an hour",
    });
  });

  it.each([
    ["REVIVE", ["ESCALATED", "FAILED", "CANCELLED"], "not_revivable"],
    ["REOPEN", ["COMPLETED", "FAILED", "CANCELLED"], "not_reopenable"],
  ] as const)("by %s but from %j", (type, allowed: readonly string[], rule) => {
    for (const state of AGENT_STATES) {
      const result = take(undefined, agentEvent(type, { previous: anAgent({ state }) }));
      expect([state, result.ok]).toEqual([state, allowed.includes(state)]);
      if (result.ok) continue;
      expect(result.rule).toBe(rule);
      expect(result.reason).toBe(`feat-dev-issue-42 is ${state}`);
    }
  });
});

describe("an agent does not start", () => {
  const free = surroundings({ task: "UNCLAIMED", run: "idle" });

  it("on an issue that is assigned to a person", () => {
    expect(take(created(), agentEvent("START", { assignedTo: "bob" }))).toMatchObject({
      rule: "assigned",
      reason: "the issue is assigned to @bob",
      keeps: false,
    });
  });

  it("before GitHub has said what blocks it, and keeps the wish", () => {
    expect(take(created(), agentEvent("START", { openBlockers: null }))).toMatchObject({
      rule: "blockers_unread",
      keeps: true,
    });
  });

  it("before its blockers are closed, and keeps the wish", () => {
    expect(take(created(), agentEvent("START", { openBlockers: ["#7", "acme/lib#9"] }))).toMatchObject({
      rule: "open_blocker",
      reason: "blocked by #7, acme/lib#9",
      keeps: true,
    });
  });

  it.each([null, ...TASK_STATES])("as a coder on a task in %s unless it can be claimed", (task) => {
    const result = take(created(), agentEvent("START", { around: { ...free, task } }));
    const claimable = ["UNCLAIMED", "REJECTED", "INTEGRATION_FAILED"];
    const expected = claimable.includes(task ?? "")
      ? { ok: true }
      : { ok: false, rule: "task", reason: `its task is ${task ?? "missing"}`, keeps: task === "DRAFT" };
    expect(result).toMatchObject(expected);
    expect(take(created({ coder: false }), agentEvent("START", { around: { ...free, task } })).ok).toBe(true);
  });

  it.each([
    ["held", { held: [PAUSED] }, "the repository is paused"],
    ["slot", { slot: "10 of 10 agents are active" }, "10 of 10 agents are active"],
    ["room", { room: { reason: "3 of 3 fit", change: "wait" } }, "3 of 3 fit"],
    ["budget", { budget: { reason: "$5 of $5 are spent", change: "wait" } }, "$5 of $5 are spent"],
    ["provider", { provider: "the model answers nobody" }, "the model answers nobody"],
  ])("while what %s says holds it back, and keeps the wish", (rule, around, reason) => {
    expect(take(created(), agentEvent("START", { around: { ...free, ...around } }))).toMatchObject({
      rule,
      reason,
      keeps: true,
    });
  });

  it("as a reviewer where there is no review to give, and gives the wish up", () => {
    const around = { ...free, review: "another is at work" };
    expect(take(created({ coder: false }), agentEvent("START", { around }))).toMatchObject({
      rule: "no_review",
      reason: "another is at work",
      keeps: false,
    });
  });

  it("while too many pull requests wait for people, and keeps the wish", () => {
    const around = { ...free, attention: "10 pull requests await people" };
    expect(take(created(), agentEvent("START", { around }))).toMatchObject({
      rule: "attention",
      keeps: true,
    });
  });

  it("while somebody holds it, and keeps the wish", () => {
    expect(take(created({ heldBy: ["person", "sprint"] }), agentEvent("START"))).toMatchObject({
      rule: "held",
      reason: "a person paused it; its sprint is at CHECKPOINT",
      keeps: true,
    });
  });
});

describe("an agent is not blocked", () => {
  it.each([
    ["own_issue", { blocker: 42 }, "an issue cannot block itself"],
    ["blocker_missing", { found: "missing" }, "#7 does not exist"],
    ["blocker_closed", { found: "closed" }, "#7 is already closed"],
    ["cycle", { cycle: ["#42", "#7", "#42"] }, "that would close a circle: #42 → #7 → #42"],
    ["descendant", { found: "part" }, "#7 is a part of this issue"],
  ] as const)("when %s says why", (rule, overrides, reason) => {
    expect(take(anAgent(), agentEvent("BLOCKED", overrides))).toMatchObject({
      code: "guard_refused",
      rule,
      reason,
      keeps: false,
    });
  });
});

describe("an agent does not complete by evidence", () => {
  it.each(SLEEP_REASONS)("while it sleeps for %s, checks apart", (sleepReason) => {
    const result = take(sleeping({ sleepReason }), agentEvent("COMPLETE"));
    expect(result).toMatchObject(
      sleepReason === "checks" ? { ok: true } : { ok: false, rule: "asleep", keeps: false },
    );
  });

  it.each(["CREATED", "ESCALATED"] as const)("while it is %s", (state) => {
    expect(refused(take(anAgent({ state }), agentEvent("COMPLETE"))).rule).toBe("evidence");
  });

  it.each(["CREATED", "ACTIVE", "SLEEPING", "ESCALATED"] as const)(
    "but by a merge and by a person's word when it is %s",
    (state) => {
      for (const cause of ["merged", "person"] as const)
        expect(take(anAgent({ state }), agentEvent("COMPLETE", { cause })).ok).toBe(true);
    },
  );
});

describe("a person's word does not complete an agent whose task is BLOCKED", () => {
  const around = surroundings({ task: "BLOCKED" });
  const done = (category: AgentRecord["category"], cause: "person" | "merged") =>
    take(escalated({ category }), agentEvent("COMPLETE", { cause, around }));

  it.each([
    ["review_deadlock", "reviews rejected its work: a merge takes it as it is, and nothing else does"],
    ["replanning", "its task needs replanning, so there is no work to take as it is"],
  ])("by %s; a merge does", (category, reason) => {
    expect(done(category, "person")).toMatchObject({ ok: false, rule: category, reason });
    expect(done(category, "merged").ok).toBe(true);
  });

  it("unless it waits for something else", () => {
    expect(done("decision", "person").ok).toBe(true);
  });
});

describe("a sleeper does not expire", () => {
  it("while it is held", () => {
    expect(refused(take(sleeping({ heldBy: ["person"] }), agentEvent("EXPIRE")))).toMatchObject({
      rule: "held",
      reason: "a person paused it: reminders only",
    });
  });

  it("while its scope is held", () => {
    const around = surroundings({ held: [PAUSED] });
    expect(refused(take(sleeping(), agentEvent("EXPIRE", { around })))).toMatchObject({
      rule: "held",
      reason: "the repository is paused: reminders only",
    });
  });

  it("while it waits for a review", () => {
    expect(refused(take(sleeping({ sleepReason: "review" }), agentEvent("EXPIRE"))).rule).toBe("review");
  });
});

describe("an escalated agent does not resume", () => {
  it.each(["held", "slot"] as const)("when refused for its %s, and keeps the wish", (rule) => {
    const around = surroundings(rule === "held" ? { held: [PAUSED] } : { slot: "none is free" });
    expect(take(escalated(), agentEvent("RESUME", { around }))).toMatchObject({ rule, keeps: true });
  });

  it("a third time after a limit without a figure, but with one", () => {
    const stopped = escalated({ breaker: "max_tool_calls", extensions: 2 });
    expect(take(stopped, agentEvent("RESUME"))).toMatchObject({
      rule: "extensions",
      reason: expect.stringContaining("/flotilla budget +N"),
      keeps: false,
    });
    const grant = { ...NO_GRANT, turns: 0, toolCalls: 50, wakes: 0 };
    expect(take(stopped, agentEvent("RESUME", { grant })).ok).toBe(true);
    expect(take(escalated({ extensions: 2 }), agentEvent("RESUME")).ok).toBe(true);
  });
});

describe("a hold is not lifted", () => {
  it.each(["CREATED", "SLEEPING"] as const)("from %s by one who does not have it", (state) => {
    const sprint = anAgent({ state, heldBy: ["sprint"] });
    expect(take(sprint, agentEvent("RESUME"))).toMatchObject({ rule: "not_held", keeps: false });
    expect(take(anAgent({ state }), agentEvent("RESUME"))).toMatchObject({ rule: "not_held" });
  });
});
