import { describe, expect, it } from "vitest";
import { type AgentRecord, SLEEP_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../src/domain/agents/run.ts";
import type { Hold } from "../../../src/domain/breakers/hold.ts";
import { type AgentStatusFacts, agentStatus } from "../../../src/domain/status/agent-status.ts";
import { nextOfWork, workStands } from "../../../src/domain/tasks/next-of-work.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { anAgent, aRun } from "../../factories/records.ts";

const hold = (by: Hold["by"]): Hold => ({ by, what: `${by} holds it`, ends: `${by} ends it` });
const slot = { rule: "slot", reason: "all 2 slots are in use", change: null, lastAt: 5 } as const;
const says = (agent: AgentRecord, facts: Partial<AgentStatusFacts> = {}) =>
  agentStatus(agent, agentStatusFacts(facts));
const sleeper = (sleepReason: AgentRecord["sleepReason"], more: Partial<AgentRecord> = {}) =>
  anAgent({ state: "SLEEPING", sleepReason, ...more });

const next = (holds: readonly Hold[], reason: AgentRecord["sleepReason"] = "retry") =>
  says(sleeper(reason), { holds }).next;

describe("where an agent stands", () => {
  it("has words for every phase of a run, each its own", () => {
    const told = RUN_STATES.map((state) => says(anAgent(), { run: aRun({ state }) }).now);
    expect(new Set(told).size).toBe(RUN_STATES.length);
  });

  it("says which command runs for one at work, since when, in place of its phase", () => {
    const command = { purpose: "worktree", command: "npm ci", since: 0 } as const;
    const now = "prepares its worktree: `npm ci`, since 00:00 UTC";
    expect(says(anAgent(), { run: aRun(), command }).now).toBe(now);
    expect(says(sleeper("time"), { command }).now).not.toContain("npm ci");
  });

  it.each(SLEEP_REASONS)("says what ends a sleep for %s", (sleepReason) => {
    expect(says(sleeper(sleepReason, { reason: null })).next).toMatch(/\S/);
  });

  it("has words for every reason of a sleep, each its own", () => {
    const told = SLEEP_REASONS.map((sleepReason) => says(sleeper(sleepReason, { reason: null })).now);
    expect(new Set(told).size).toBe(SLEEP_REASONS.length);
  });

  it("says what holds one that has not started, else why it was not started, else that it starts automatically", () => {
    const created = anAgent({ state: "CREATED" });
    expect(says(created, { holds: [hold("disk")], heldUp: slot })).toEqual({
      now: "waits to start (held: disk holds it)",
      next: "disk ends it",
    });
    expect(says(created, { heldUp: slot })).toEqual({
      now: "waits to start (no slot free: all 2 slots are in use)",
      next: "it starts automatically when a slot is free",
    });
    expect(says(created).next).toContain("it starts automatically");
    const later = "waits to start, not before 1970-01-01 00:00 UTC: the attempt before it failed";
    expect(says({ ...created, dueAt: 0 }).now).toBe(later);
    expect(says({ ...created, dueAt: 0, reason: "its process died" }).now).toBe(
      `${later} (its process died)`,
    );
  });

  it("of a sleeper that was woken says what keeps it, and not what it waited for", () => {
    const { now } = says(sleeper("blocked", { blockedBy: [7] }), { heldUp: slot });
    expect(now).toBe("was woken and waits to continue (no slot free: all 2 slots are in use)");
    expect(says(sleeper("paused"), { heldUp: slot }).now).toContain("waits to continue (no slot free");
    expect(says(sleeper("time", { dueAt: 5 }), { heldUp: slot }).now).toContain("was woken");
    expect(says(sleeper("time", { dueAt: 6 }), { heldUp: slot }).now).toContain("waits for a set time");
    expect(says(sleeper("time", { dueAt: 6 })).now).toContain("waits for a set time");
  });

  it("of a paused one says what holds it, or that it continues automatically", () => {
    expect(says(sleeper("paused"), { holds: [hold("person")] }).now).toBe("paused, because person holds it");
    const by = { ...hold("person"), what: "paused by @ann: not now" };
    expect(says(sleeper("paused"), { holds: [by] }).now).toBe("paused by @ann: not now");
    expect(says(sleeper("checks"), { holds: [by] }).now).toBe(
      "waits for the checks (paused by @ann: not now)",
    );
    expect(says(sleeper("paused", { reason: by.what })).now).toBe(by.what);
    expect(says(sleeper("paused", { reason: "an incident" }))).toEqual({
      now: "paused: an incident",
      next: "it continues automatically",
    });
  });

  it("says what only a decision knows to hold it like any other hold", () => {
    const heldUp = {
      rule: "held",
      reason: "the disk is full",
      change: "it continues with more room",
      lastAt: 5,
    } as const;
    expect(says(sleeper("checks"), { heldUp })).toEqual({
      now: "waits for the checks (held: the disk is full)",
      next: "it continues with more room",
    });
    expect(says(sleeper("checks"), { heldUp, holds: [hold("pause")] }).now).toContain(
      "(held: pause holds it)",
    );
  });

  it("advises a retry where one goes past what holds it, and no other", () => {
    expect(next([hold("incident")])).toBe("incident ends it; `/flotilla retry` tries at once");
    expect(next([hold("person"), hold("incident")])).toContain("`/flotilla retry`");
    expect(next([hold("disk")])).toBe("disk ends it");
    expect(next([hold("incident")], "blocked")).toBe("incident ends it");
  });

  it("of one that needs a person says what it asked and every way on", () => {
    const asks = anAgent({ state: "ESCALATED", reason: "Which one?", breaker: null });
    expect(says(asks)).toEqual({
      now: "needs a person: Which one?",
      next: "answer in a comment, or say `/flotilla resume`, `/flotilla complete`, `/flotilla retry` or `/flotilla cancel`",
    });
    expect(says({ ...asks, reason: null }, { holds: [hold("pause")] })).toMatchObject({
      now: "needs a person: it gave no reason (held: pause holds it)",
      next: expect.stringMatching(/^pause ends it; then answer in a comment/),
    });
    expect(says({ ...asks, prNumber: 50 }, { isRejected: true }).next).toBe(
      "answer in a comment, or say `/flotilla resume`, `/flotilla retry` or `/flotilla cancel`; a merge of #50 on GitHub takes the work as it is",
    );
    const limited = { ...asks, breaker: "max_tokens" };
    expect(says(limited).next).toContain(
      "`/flotilla resume` (half of the limit again), `/flotilla budget +N`",
    );
    const raised = says({ ...limited, extensions: 2 }).next;
    expect(raised).toContain("`/flotilla budget +N`");
    expect(raised).not.toContain("resume");
    const deadlocked = says({ ...asks, category: "review_deadlock" }).next;
    expect(deadlocked).toMatch(/say in a comment what to do differently; `\/flotilla resume \[rounds\]`/);
    expect(deadlocked).not.toContain("complete");
    expect(says({ ...asks, category: "replanning" }).next).toBe(
      "say in a comment what to do differently, or say `/flotilla resume`, `/flotilla retry` or `/flotilla cancel`",
    );
  });

  it("of one that ended says what became of its work", () => {
    const ended = anAgent({ state: "COMPLETED", prNumber: 50 });
    const failed = anAgent({ state: "FAILED", reason: "It broke." });
    expect(says(ended, { task: "READY_FOR_REVIEW" }).next).toBe("review #50 on GitHub");
    expect(says(ended, { task: "APPROVED" }).next).toContain("merge #50 on GitHub");
    expect(says({ ...ended, coder: false }, { task: "APPROVED" }).next).toBe("nothing: its work is done");
    expect(says({ ...ended, coder: false }).next).toBe(
      "read its comment on the issue, which says what it found and what comes next",
    );
    expect(says(failed)).toEqual({ now: "It broke.", next: "`/flotilla retry` makes a new attempt" });
    const planner = { ...failed, role: "planner", coder: false };
    expect(says(planner, { task: "BLOCKED" }).next).toBe("`/flotilla start planner` makes a new attempt");
    expect(says(planner).next).toContain("/flotilla retry");
    expect(says(failed, { hasSuccessor: true }).next).toContain("a later attempt");
    expect(says(failed, { task: "MERGED" }).next).toBe("nothing: its work is done");
    expect(says(failed, { task: "ABANDONED" }).next).toContain("(reopen it first if it is closed)");
  });

  it("of one whose issue is gone says so, and never to reopen it", () => {
    const failed = anAgent({ state: "FAILED", reason: "It broke." });
    const gone = (abandonedReason: string) => says(failed, { task: "ABANDONED", abandonedReason }).next;
    expect(gone("the issue was deleted")).toBe("nothing: work for it needs a new issue");
    expect(gone("the issue was transferred to acme/other#9")).toBe(
      "label acme/other#9, or say `/flotilla start` there",
    );
    expect(gone("@alice closed the issue")).toContain("(reopen it first if it is closed)");
    const triage = anAgent({ state: "CANCELLED", coder: false, reason: "the issue was deleted" });
    expect(says(triage, { task: null }).next).toBe("nothing: work for it needs a new issue");
  });
});

describe("what comes next for work", () => {
  it("is said of every state of a task", () => {
    for (const state of TASK_STATES)
      expect(nextOfWork(state, { pull: null, isReviewed: false })).toMatch(/\S/);
    const deadlock = { pull: null, isReviewed: false, blockedReason: "review_deadlock" };
    // A comment reaches no coder that has ended.
    expect(nextOfWork("BLOCKED", deadlock)).toMatch(
      /^`\/flotilla resume \[rounds\]` lets its coder continue/,
    );
    expect(nextOfWork("READY_FOR_REVIEW", { pull: 5, isReviewed: true })).toContain("an agent reviews it");
  });

  it("names its pull request where there is one", () => {
    expect(workStands("APPROVED", null)).toBe("waits for the merge of its work, which is approved");
    expect(workStands("APPROVED", 5)).toBe("waits for the merge of #5, which is approved");
    expect(workStands(null, null)).toBe("waits for a review");
    expect(workStands("READY_FOR_REVIEW", 5)).toBe("waits for a review of #5");
  });
});

describe("approved work that Flotilla merges by itself", () => {
  const merging = { ahead: null };

  it("asks nobody to merge it, and names the work that is before it", () => {
    const facts = { pull: 5, isReviewed: false };
    expect(nextOfWork("APPROVED", { ...facts, merging })).toBe(
      "nothing: Flotilla merges #5 when its turn in the merge queue comes; `/flotilla why` says what it waits for",
    );
    expect(nextOfWork("APPROVED", { ...facts, merging: { ahead: 3 } })).toContain("comes, behind #3;");
    expect(nextOfWork("APPROVED", { ...facts, merging: null })).toContain("merge #5 on GitHub");
  });
});
