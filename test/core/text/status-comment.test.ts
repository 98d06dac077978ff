import { describe, expect, it } from "vitest";
import { type AgentRecord, SLEEP_REASONS } from "../../../src/core/machines/agent-record.ts";
import type { RunRecord } from "../../../src/core/machines/run.ts";
import type { DecisionRow } from "../../../src/core/rows.ts";
import { statusComment } from "../../../src/core/text/status-comment.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent, aRun, aTask } from "../../factories/records.ts";

const decision: DecisionRow = {
  id: 1,
  at: AT,
  repositoryId: 7,
  issue: 42,
  agentId: null,
  rule: "slot",
  reason: "all 10 slots are in use",
  change: "it starts by itself",
  inputs: {},
  delivery: null,
  count: 1,
  lastAt: AT,
};

const comment = (agents: readonly AgentRecord[], run: RunRecord | null = null) =>
  statusComment({ now: AT, agents: agents.map((agent) => ({ agent, run })), task: null, decisions: [] });

/** What the row of the one agent says now. */
function now(agent: AgentRecord, run: RunRecord | null = null): string {
  const cells = comment([agent], run)
    .split("\n")[4]
    ?.split(/(?<!\\)\|/);
  return cells?.[3]?.trim() ?? "";
}

describe("the status comment", () => {
  it("says so when nobody works on the issue", () => {
    expect(comment([])).toContain("No agent works on this issue.");
  });

  it("has one row an agent, the newest first, with its state, attempt and pull request", () => {
    const old = anAgent({ id: 1, state: "CANCELLED" });
    const young = anAgent({ id: 2, attempt: 2, prNumber: 50 });
    const rows = comment([old, young]).split("\n").slice(4, 6);
    expect(rows[0]).toMatch(/^\| feat-dev \(attempt 2\) \| \*\*ACTIVE\*\* \| .+ \| #50 \|$/);
    expect(rows[1]).toMatch(/^\| feat-dev \| \*\*CANCELLED\*\* \| .+ \|  \|$/);
  });

  it.each([
    [anAgent({ state: "CREATED" }), "waits to start"],
    [anAgent({ turns: 3, toolCalls: 9 }), "starting · 3 turns, 9 tool calls"],
    [anAgent({ state: "ESCALATED", reason: "Which colour?" }), "needs a person: Which colour?, for 1 h"],
    [anAgent({ state: "COMPLETED", reason: "It is there." }), "It is there."],
    [anAgent({ state: "FAILED", reason: "It broke." }), "It broke."],
    [anAgent({ state: "CANCELLED", reason: "nobody needs it" }), "nobody needs it"],
  ])("of $state says what is so now", (agent, text) => {
    expect(now(agent)).toBe(text);
  });

  it("of one that gave no reason says what there is", () => {
    const agent = anAgent({ state: "ESCALATED", reason: null, sleepingSince: null });
    expect(now(agent)).toBe("needs a person:");
  });

  it("of one at work says its phase", () => {
    expect(now(anAgent(), aRun({ state: "planning" }))).toBe("planning · 0 turns, 0 tool calls");
  });

  it.each([
    ["blocked", "waits for #7, #9"],
    ["review", "waits for a review"],
    ["question", "waits for an answer"],
    ["approval", "waits for a person's word (max_turns)"],
    ["checks", "waits for checks"],
    ["provider_limit", "waits for the model"],
    ["retry", "waits to try again"],
    ["restart", "waits for the host to come back"],
    ["time", "waits for its time"],
    ["paused", "paused"],
    [null, "paused"],
  ] as const)("of a sleep for %s says: %s", (sleepReason, text) => {
    const agent = anAgent({ state: "SLEEPING", sleepReason, blockedBy: [7, 9], breaker: "max_turns" });
    expect(now(agent)).toBe(`${text}, for 1 h`);
  });

  it("has words for every reason to sleep", () => {
    const said = SLEEP_REASONS.map((sleepReason) => now(anAgent({ state: "SLEEPING", sleepReason })));
    expect(new Set(said).size).toBe(SLEEP_REASONS.length);
  });

  it("of an approval without a limit says so", () => {
    const agent = anAgent({ state: "SLEEPING", sleepReason: "approval", sleepingSince: AT - HOUR });
    expect(now(agent)).toBe("waits for a person's word (approval), for 1 h");
  });

  it.each(["CREATED", "SLEEPING"] as const)("of one held while %s says who holds it and why", (state) => {
    const agent = anAgent({ state, heldBy: ["person", "commit"], reason: "paused by @alice" });
    expect(now(agent)).toContain("(held by person, commit: paused by @alice)");
    expect(now({ ...agent, reason: null })).toContain("(held by person, commit)");
  });

  it("keeps text of others in its cell, and short", () => {
    const text = now(anAgent({ state: "FAILED", reason: `one | two\n\n| three ${"x".repeat(300)}` }));
    expect(text).toMatch(/^one \\\| two \\\| three x+…$/);
    expect(text.replaceAll("\\|", "|").length).toBeLessThanOrEqual(200);
  });

  it("says the task's state, and of the decisions the newest that somebody can change", () => {
    const decisions = [
      { ...decision, id: 3, reason: "just talk", change: null },
      { ...decision, id: 2 },
      { ...decision, id: 1, reason: "an older one" },
    ];
    const text = statusComment({ now: AT, agents: [], task: aTask(), decisions });
    expect(text).toContain("Task: CLAIMED");
    expect(text).toContain("Last decision: all 10 slots are in use — it starts by itself.");
    expect(text).not.toMatch(/just talk|an older one/);
  });

  it("ends with what a person can say", () => {
    expect(comment([]).split("\n").at(-1)).toContain("/flotilla status");
  });
});
