import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { RunRecord } from "../../../src/domain/agents/run.ts";
import { holdsOf } from "../../../src/domain/breakers/hold.ts";
import type { TransitionRow } from "../../../src/domain/kernel/rows.ts";
import { agentStatus } from "../../../src/domain/status/agent-status.ts";
import { statusComment } from "../../../src/domain/status/status-comment.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { anAgent, aRun, aTask } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";

const decision = aDecision({
  rule: "slot",
  reason: "all 10 slots are in use",
  change: "it starts automatically",
});

const move = (overrides: Partial<TransitionRow> = {}): TransitionRow => ({
  id: 1,
  at: AT,
  machine: "agent",
  recordId: 11,
  agentId: 11,
  repositoryId: 7,
  issue: 42,
  actor: "flotilla",
  event: "WAIT",
  from: "ACTIVE",
  to: "SLEEPING",
  reason: null,
  evidence: null,
  delivery: null,
  ...overrides,
});

const nothing = {
  agents: [],
  task: null,
  queuePosition: null,
  decision: null,
  transitions: [],
  command: null,
  archives: [],
  unlinked: [],
  checks: [],
  goal: null,
};

const pageOf = (name: string) => ({ name, url: `https://flotilla.test/agents/${name}` });

const comment = (agents: readonly AgentRecord[], run: RunRecord | null = null, slept: string | null = null) =>
  statusComment({
    ...nothing,
    agents: agents.map((agent) => ({
      agent,
      limits: LIMITS,
      worksWith: null,
      page: null,
      status: agentStatus(
        agent,
        agentStatusFacts({
          run,
          slept: slept === null ? null : move({ reason: slept }),
          holds: holdsOf(agent, []),
        }),
      ),
    })),
  });

/** A cell in the row of the one agent: 3 = now, 4 = since. */
function cell(index: number, agent: AgentRecord, run: RunRecord | null = null, slept: string | null = null) {
  const cells = comment([agent], run, slept)
    .split("\n")[8]
    ?.split(/(?<!\\)\|/);
  return cells?.[index]?.trim() ?? "";
}

const now = (agent: AgentRecord, run: RunRecord | null = null, slept: string | null = null) =>
  cell(3, agent, run, slept);

const sleeper = (sleepReason: AgentRecord["sleepReason"]) => anAgent({ state: "SLEEPING", sleepReason });

/** An hour before `AT`, as people read it. */
const HOUR_AGO = "2025-12-21 21:40 UTC";

describe("the status comment", () => {
  it("says so when nobody works on the issue", () => {
    expect(comment([])).toContain("No agent works on this issue.");
  });

  it("has one row an agent, the newest first, with its state, attempt and pull request", () => {
    const old = anAgent({ id: 1, state: "CANCELLED" });
    const young = anAgent({ id: 2, attempt: 2, prNumber: 50 });
    const rows = comment([old, young]).split("\n").slice(8, 10);
    expect(rows[0]).toMatch(/^\| feat-dev \(attempt 2\) \| \*\*ACTIVE\*\* \| .+ \| #50 \|$/);
    expect(rows[1]).toMatch(/^\| feat-dev \| \*\*CANCELLED\*\* \| .+ \|  \|$/);
  });

  it.each([
    [anAgent({ state: "CREATED" }), "waits to start"],
    [anAgent(), "starts"],
    [anAgent({ state: "ESCALATED", reason: "Which colour?" }), "needs a person: Which colour?"],
    [anAgent({ state: "ESCALATED", reason: null }), "needs a person: it gave no reason"],
    [anAgent({ state: "COMPLETED", reason: "It is there." }), "It is there."],
    [anAgent({ state: "FAILED", reason: "It broke." }), "It broke."],
    [anAgent({ state: "CANCELLED", reason: null }), "it gave no reason"],
    [anAgent({ state: "COMPLETED", reason: null }), "its work is done"],
  ])("of $state with the reason $reason says what is so now", (agent, text) => {
    expect(now(agent)).toBe(text);
  });

  it("of one at work says its phase", () => {
    expect(now(anAgent(), aRun({ state: "planning" }))).toBe("plans");
  });

  it.each([
    ["blocked", null, "waits for #7, #9 to be closed"],
    ["review", null, "waits for a review of #50"],
    ["question", "question: Which colour?", "waits for an answer: Which colour?"],
    ["approval", "approval: 50 of 50", "waits for a person at the limit `max_turns`: 50 of 50"],
    ["checks", "checks: build, lint", "waits for the checks: build, lint"],
    ["checks", null, "waits for the checks"],
    ["checks", "checks: ", "waits for the checks"],
    ["checks", "retry: of an earlier sleep", "waits for the checks"],
    ["provider_limit", null, "waits for a limit to pass, not before 2025-12-21 22:50 UTC"],
    ["retry", "retry: it died", "waits to try again, not before 2025-12-21 22:50 UTC: it died"],
    ["restart", null, "waits to continue after a restart of the host"],
    ["time", null, "waits for a set time, not before 2025-12-21 22:50 UTC"],
    ["paused", null, "paused"],
    [null, null, "paused"],
  ] as const)("of a sleep for %s by the move %j says: %s", (sleepReason, slept, text) => {
    const agent = anAgent({
      state: "SLEEPING",
      sleepReason,
      blockedBy: [7, 9],
      breaker: "max_turns",
      prNumber: 50,
      dueAt: AT + 10 * MINUTE,
    });
    expect(now(agent, null, slept)).toBe(text);
  });

  it("says of a sleep what is known of it", () => {
    expect(now(sleeper("review"))).toBe("waits for a review");
    expect(now(sleeper("time"))).toBe("waits for a set time");
    expect(now(sleeper("approval"), null, "approval: shell (abc)")).toBe(
      "waits for a person's approval: shell (abc)",
    );
    expect(now({ ...sleeper("paused"), reason: "everything is paused by bob" })).toBe(
      "paused: everything is paused by bob",
    );
  });

  it.each([
    [anAgent({ state: "CREATED" }), "2025-12-21 20:40 UTC"],
    [anAgent(), HOUR_AGO],
    [anAgent({ activeSince: null }), "2025-12-21 20:40 UTC"],
    [anAgent({ state: "SLEEPING" }), HOUR_AGO],
    [anAgent({ state: "ESCALATED" }), HOUR_AGO],
    [anAgent({ state: "ESCALATED", sleepingSince: null }), "2025-12-21 20:40 UTC"],
    [anAgent({ state: "COMPLETED" }), HOUR_AGO],
    [anAgent({ state: "FAILED", endedAt: null }), "2025-12-21 20:40 UTC"],
  ])("of $state from $activeSince, $sleepingSince, $endedAt says since when", (agent, text) => {
    expect(cell(4, agent)).toBe(text);
  });

  it.each(["CREATED", "SLEEPING"] as const)("of one held while %s says who holds it and why", (state) => {
    const agent = anAgent({ state, heldBy: ["person", "commit"], reason: "paused by @alice" });
    expect(now(agent)).toContain("(held: a person paused it; somebody else pushed to its branch)");
    const alone = { ...agent, heldBy: ["person" as const] };
    expect(now(alone)).toContain("(paused by `@alice`)");
    expect(comment([alone])).toContain(
      "\n\nNext in the work of feat-dev: `/flotilla resume` on the issue lets it continue.\n",
    );
  });

  it("keeps text of others in its cell and out of its fold, and short", () => {
    const reason = `one | two\n\n\\| </details><!-- three ${"x".repeat(300)}`;
    const text = now(anAgent({ state: "FAILED", reason }));
    expect(text).toMatch(/^one \\\| two \\\| &lt;\/details>&lt;!-- three x+…$/);
    expect(text.length).toBeLessThanOrEqual(220);
  });

  it("says what the live agents and the newest one have used, people's grants included", () => {
    const used = anAgent({
      turns: 3,
      extraTurns: 10,
      toolCalls: 9,
      tokens: 12_345,
      costMicroUsd: 260_000,
      activeMs: 5 * MINUTE,
      wakes: 1,
    });
    expect(comment([used])).toContain(
      "Usage of feat-dev: 3 of 60 turns, 9 of 200 tool calls, 12k of 2M tokens, $0.26, 5 min of 2 h working, woken 1 of 5 times.",
    );
    const agents = [
      anAgent({ id: 1, state: "FAILED", role: "old" }),
      anAgent({ id: 2, state: "SLEEPING", role: "live" }),
      anAgent({ id: 3, state: "COMPLETED", role: "new" }),
    ];
    expect([...comment(agents).matchAll(/Usage of (\w+)/g)].map(([, role]) => role)).toEqual(["new", "live"]);
  });

  it("links to the pages of its agents, the coder's first, where texts link to the dashboard", () => {
    const [coder, reviewer] = [anAgent(), anAgent({ id: 8, role: "reviewer", coder: false })];
    const facts = { limits: LIMITS, worksWith: null, status: agentStatus(coder, agentStatusFacts()) };
    const text = statusComment({
      ...nothing,
      agents: [
        { ...facts, agent: coder, page: pageOf("feat-dev-issue-42") },
        { ...facts, agent: reviewer, page: pageOf("reviewer-issue-42") },
      ],
    });
    expect(text).toContain(
      "\n\n<sub>[See what feat-dev-issue-42 does](https://flotilla.test/agents/feat-dev-issue-42)</sub>\n\n",
    );
    expect(text).not.toContain("See what reviewer");
    expect(text).toContain("| [reviewer](https://flotilla.test/agents/reviewer-issue-42) |");
  });

  it("says what it may cost where that is limited, and counts tokens in short", () => {
    const agent = anAgent({ tokens: 950, costMicroUsd: 1_000_000 });
    const limits = { ...LIMITS, maxCostUsd: 5, maxTokens: 1_590_000 };
    const text = statusComment({
      ...nothing,
      agents: [
        {
          agent,
          limits,
          worksWith: "codex (acme/gpt-6)",
          page: null,
          status: agentStatus(agent, agentStatusFacts()),
        },
      ],
    });
    expect(text).toContain(" times. It works with codex (acme/gpt-6).");
    expect(text).toContain("950 of 1.5M tokens, $1.00 of $5.00");
  });

  it("says the task's state, and the decision that holds, and when it was made", () => {
    const text = statusComment({ ...nothing, task: aTask(), decision });
    expect(text).toContain("Task: **CLAIMED**; you need to do nothing: its coder continues with it");
    expect(text).toContain(
      "Last decision, 2025-12-21 22:40 UTC: no slot free, all 10 slots are in use — it starts automatically.",
    );
  });

  it("folds the last moves, the latest first, and keeps the operator's account to itself", () => {
    const transitions = [
      move({ at: AT - HOUR, event: "START", from: "CREATED", to: "ACTIVE", actor: "operator:root" }),
      move({ reason: "checks: build" }),
    ];
    const text = statusComment({ ...nothing, transitions });
    expect(text).toContain(
      [
        "<details><summary>History</summary>",
        "",
        "- 2025-12-21 22:40 UTC agent ACTIVE → SLEEPING (WAIT by flotilla): checks: build",
        `- ${HOUR_AGO} agent CREATED → ACTIVE (START by the operator)`,
        "",
        "</details>",
      ].join("\n"),
    );
    expect(comment([])).not.toContain("History</summary>");
  });

  it("ends with what a person can say", () => {
    expect(comment([]).split("\n").at(-1)).toContain("/flotilla status");
  });
});

const toldOf = (
  changed: Partial<AgentRecord>,
  checks: Parameters<typeof statusComment>[0]["checks"] = [],
): string => {
  const agent = anAgent({ state: "COMPLETED", prNumber: 50, reason: "It is @bob there.", ...changed });
  const status = agentStatus(agent, agentStatusFacts({ run: null, slept: null, holds: holdsOf(agent, []) }));
  const agents = [{ agent, limits: LIMITS, worksWith: null, page: null, status }];
  const task = aTask({ state: "READY_FOR_REVIEW", reviewCommit: "abcdef0123" });
  return statusComment({ ...nothing, agents, task, checks });
};

describe("finished work", () => {
  it("shows what the coder says of it, and what Flotilla's checks of the commit returned", () => {
    const checks = [
      { command: "npm test", exitCode: 0 },
      { command: "npm run lint", exitCode: null },
    ];
    expect(toldOf({}, checks)).toMatch(
      /\n\*\*feat-dev\*\* says:\n\n> It is `@bob` there\.\n\nFlotilla checked it on abcdef0: `npm test` exit 0, `npm run lint` was cut off\.\n/,
    );
    expect(toldOf({ state: "SLEEPING", sleepReason: "review" }, checks)).toContain(
      "Flotilla checked it on abcdef0",
    );
    expect(toldOf({})).not.toContain("Flotilla checked it");
    expect(toldOf({ reason: null }, checks)).not.toContain("says:");
  });

  it.each<[string, Partial<AgentRecord>]>([
    ["without a pull request", { prNumber: null }],
    ["on a person's pull request", { issue: 50 }],
    ["of a coder that is at work again", { state: "ACTIVE" }],
    ["of a role that does not code", { coder: false }],
  ])("%s is told elsewhere", (_, changed) => {
    expect(toldOf(changed)).not.toContain("says:");
  });
});
