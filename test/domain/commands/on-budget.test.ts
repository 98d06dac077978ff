import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { DayLimit } from "../../../src/domain/breakers/day-budget.ts";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { rulesOf, wakesOf } from "../kernel/changes-as-text.ts";

const said = (rest: string, ...agents: readonly AgentRecord[]) =>
  decide(aCommand("budget", rest), aView({ agents }));
const stopped = (breaker: string | null) => anAgent({ state: "ESCALATED", breaker });
const answersOf = (changes: ReturnType<typeof said>) =>
  changes.effects.flatMap((effect) => (effect.kind === "post_comment" ? [effect.body] : []));

describe("the command budget", () => {
  it.each([
    ["max_tokens", "+500k", { tokens: 500_000 }],
    ["max_cost_usd", "+5", { costMicroUsd: 5_000_000 }],
    ["max_tool_calls", "+5", { toolCalls: 5 }],
    ["max_iterations", "2", { wakes: 2 }],
    ["max_turns", "+20 turns", { turns: 20 }],
    ["max_tokens", "+1M tokens and +30 min", { tokens: 1_000_000, activeMs: 1_800_000 }],
    [null, "+10 turns", { turns: 10 }],
  ])("at the limit %s with %j raises it and wakes the agent", (breaker, rest, grant) => {
    const changes = said(rest, stopped(breaker));
    expect(wakesOf(changes)).toEqual(["11 approval"]);
    expect(changes.wakes[0]?.grant).toEqual({ ...NO_GRANT, by: ["alice"], ...grant });
    expect(answersOf(changes)).toEqual([]);
  });

  it("reaches one that waits at its turn limit", () => {
    const waiting = anAgent({ state: "SLEEPING", sleepReason: "approval", breaker: "max_turns" });
    expect(said("+5", waiting).wakes[0]?.grant?.turns).toBe(5);
  });

  it.each([
    [
      "max_tokens",
      "+20 turns",
      "budget_unit",
      "was stopped by max_tokens, and this raises something else. Say how many tokens (`+500k tokens`)",
    ],
    ["max_tokens", "+5 agents", "budget_unit", "Say how many tokens"],
    ["max_turns", "+201", "turn_ceiling", ""],
    [null, "+20", "budget_unit", "was not stopped by a limit that can be raised"],
    [null, "+2 agents", "budget_unit", "`/flotilla resume` or an answer lets it continue"],
    ["max_tokens", "", "budget_unreadable", "`budget` is no amount. Say how much: dollars (`+$5`)"],
    [
      "max_cost_usd",
      "+10000000000",
      "budget_unreadable",
      "This is more than anybody may grant at once. Say how many dollars (`+$5`), 1000000 at most.",
    ],
    ["max_cost_usd", "+0.0000001", "budget_unreadable", "An amount in it is zero. Say how many dollars"],
    ["max_cost_usd", "+$2,50", "budget_unreadable", "`+$2,50` is no amount. Write 2.50."],
    ["max_tokens", "lots", "budget_unreadable", "`lots` is no amount"],
    ["max_tokens", "x".repeat(60_000), "budget_unreadable", `\`${"x".repeat(59)}…\` is no amount`],
  ])("at the limit %s with %j wakes nobody and says why", (breaker, rest, rule, words) => {
    const changes = said(rest, stopped(breaker));
    expect(wakesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual([rule]);
    expect(answersOf(changes).join()).toContain(words);
  });

  it("raises nothing where nothing is stopped", () => {
    const changes = said(
      "+5",
      anAgent({ state: "ACTIVE" }),
      anAgent({ state: "FAILED", breaker: "max_active_duration" }),
    );
    expect(rulesOf(changes)).toEqual(["nothing_stopped"]);
    expect(answersOf(changes)).toEqual([
      "No agent of this issue is stopped by a limit. There is nothing to raise. `/flotilla status` shows what the agents wait for.",
    ]);
  });
});

const day = (rest: string, daySpent: readonly DayLimit[], ...agents: readonly AgentRecord[]) =>
  decide(aCommand("budget", rest), aView({ agents, daySpent }));

describe("the command budget for a repository's day", () => {
  const waiting = anAgent({ state: "CREATED" });

  it.each([
    [`${"+1000000000000 ".repeat(9)}today`, "more than anybody may grant at once"],
    ["+600000 +600000 today", "more than anybody may grant at once"],
    ["+1000000000001 agents today", "agents a day (`+5 agents`), 1000000000000 at most"],
    ["+0.0000001 today", "is zero"],
  ])("%j is refused and says why", (rest, words) => {
    const changes = day(rest, [], waiting);
    expect(rulesOf(changes)).toEqual(["budget_unreadable"]);
    expect(changes.dayGrants).toEqual([]);
    expect(answersOf(changes).join()).toContain(words);
  });

  it.each([
    ["+20", ["max_cost_usd"], { costMicroUsd: 20_000_000, agents: 0 }],
    ["+3", ["max_agents"], { costMicroUsd: 0, agents: 3 }],
    ["+3", ["max_agents", "max_cost_usd"], { costMicroUsd: 3_000_000, agents: 0 }],
    ["+$5 and +2 agents", ["max_agents"], { costMicroUsd: 5_000_000, agents: 2 }],
    ["+20 today", [], { costMicroUsd: 20_000_000, agents: 0 }],
    ["+1 agent for today", [], { costMicroUsd: 0, agents: 1 }],
  ] as const)("%j adds to it when %j is reached", (rest, spent, added) => {
    const changes = day(rest, spent, waiting);
    expect(changes.dayGrants).toEqual([{ by: "alice", ...added }]);
    expect(rulesOf(changes)).toEqual(["day_raised"]);
    expect(wakesOf(changes)).toEqual([]);
  });

  it("is not meant where an agent is stopped by a limit of its own, unless it says so", () => {
    expect(day("+5", ["max_cost_usd"], stopped("max_tokens")).dayGrants).toEqual([]);
    expect(day("+5 today", ["max_cost_usd"], stopped("max_tokens")).dayGrants).toHaveLength(1);
  });

  it("takes no other unit, and nothing where no agent waits", () => {
    expect(rulesOf(day("+5 turns", ["max_cost_usd"], waiting))).toEqual(["budget_unit"]);
    expect(rulesOf(day("+5", ["max_cost_usd"]))).toEqual(["nothing_stopped"]);
  });
});
