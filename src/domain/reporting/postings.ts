import { dayOf, startOfDay } from "../breakers/day-budget.ts";
import type { Touch } from "./touch.ts";

/** The fields of an agent that the ledger needs. Its run is one attempt of a role at an issue. */
export interface LedgerAgent {
  readonly id: number;
  readonly repositoryId: number;
  readonly issue: number;
  readonly name: string;
  readonly role: string;
  readonly runtime: string;
  readonly coder: boolean;
  readonly createdAt: number;
  /** When its awake period began; null while it is not ACTIVE. */
  readonly activeSince: number | null;
}

/** The model calls of one agent to one model on one day (counted from the epoch, in UTC). */
export interface UsageSum {
  readonly agentId: number;
  readonly model: string;
  readonly day: number;
  readonly inputTokens: number;
  /** Included in `inputTokens`. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
}

/** A task that has ended, with its last coder; null when it never had one. */
export interface EndedTask {
  readonly repositoryId: number;
  readonly issue: number;
  readonly coderId: number | null;
  readonly merged: boolean;
  readonly at: number;
}

/** All rows that the ledger is made of, from one time on. */
export interface LedgerRows {
  readonly agents: readonly LedgerAgent[];
  readonly usage: readonly UsageSum[];
  /** In order. */
  readonly awake: readonly AwakeMove[];
  readonly ended: readonly EndedTask[];
  readonly touches: readonly Touch[];
}

/** Sums of a line of the ledger, and what one posting adds to them; all whole numbers. */
export interface Amounts {
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  readonly costMicroUsd: number;
  readonly wallMs: number;
  readonly touches: number;
  readonly merged: number;
  readonly finished: number;
  /** Number of merges that were reverted. */
  readonly reverted: number;
}

export const NO_AMOUNTS: Amounts = {
  tokensIn: 0,
  tokensCached: 0,
  tokensOut: 0,
  costMicroUsd: 0,
  wallMs: 0,
  touches: 0,
  merged: 0,
  finished: 0,
  reverted: 0,
};

/** One thing that happened, with every key that it can be summed by. */
export interface Posting {
  readonly agent: LedgerAgent | undefined;
  readonly repositoryId: number;
  readonly issue: number;
  readonly day: number;
  /** Undefined when the agent called no model in this time. */
  readonly model: string | undefined;
  readonly amounts: Partial<Amounts>;
}

/** Returns the postings of the span `[from, to)`; the rows must have been read since `from`. */
export function postings(rows: LedgerRows, span: { from: number; to: number }): readonly Posting[] {
  const byId = new Map(rows.agents.map((agent) => [agent.id, agent]));
  const models = mainModels(rows.usage);
  const post = (
    agent: LedgerAgent | undefined,
    { repositoryId, issue }: { readonly repositoryId: number; readonly issue: number },
    when: { readonly day: number; readonly amounts: Partial<Amounts> },
  ): Posting => ({ agent, repositoryId, issue, model: models.get(agent?.id ?? 0), ...when });
  const ofIssue = byIssue(rows.agents);
  return [
    ...rows.usage.flatMap((sum) => usagePosting(byId.get(sum.agentId), sum)),
    ...awakePeriods(rows.agents, rows.awake, span).flatMap(({ agent, from, to }) =>
      byDay(from, to).map(({ day, ms }) => post(agent, agent, { day, amounts: { wallMs: ms } })),
    ),
    ...rows.ended.flatMap((task) => {
      if (task.coderId === null) return [];
      const amounts = { finished: 1, merged: task.merged ? 1 : 0 };
      return [post(byId.get(task.coderId), task, { day: dayOf(task.at), amounts })];
    }),
    ...rows.touches.map((touch) =>
      post(responsible(ofIssue.get(issueKey(touch)) ?? [], touch.at), touch, {
        day: dayOf(touch.at),
        amounts: touch.kind === "revert" ? { reverted: 1 } : { touches: 1 },
      }),
    ),
  ];
}

function usagePosting(agent: LedgerAgent | undefined, sum: UsageSum): readonly Posting[] {
  // The database refuses usage without its agent.
  if (agent === undefined) return [];
  const { model, day, inputTokens: tokensIn, cachedTokens: tokensCached, outputTokens: tokensOut } = sum;
  const { repositoryId, issue } = agent;
  const amounts = { tokensIn, tokensCached, tokensOut, costMicroUsd: sum.costMicroUsd };
  return [{ agent, repositoryId, issue, day, model, amounts }];
}

/** Returns, for each agent, the model with the highest cost; without prices, with the most tokens. */
function mainModels(usage: readonly UsageSum[]): ReadonlyMap<number, string> {
  const most = new Map<number, UsageSum>();
  const more = (one: UsageSum, other: UsageSum): boolean =>
    one.costMicroUsd === other.costMicroUsd
      ? one.inputTokens + one.outputTokens > other.inputTokens + other.outputTokens
      : one.costMicroUsd > other.costMicroUsd;
  for (const sum of usage) {
    const known = most.get(sum.agentId);
    if (known === undefined || more(sum, known)) most.set(sum.agentId, sum);
  }
  return new Map([...most].map(([agentId, { model }]) => [agentId, model]));
}

/**
 * Returns the agent whose work a person's act concerns: the issue's coder of that time, else its agent of that time,
 * else its first.
 */
function responsible(agents: readonly LedgerAgent[], at: number): LedgerAgent | undefined {
  const then = agents.filter(({ createdAt }) => createdAt <= at);
  return then.findLast(({ coder }) => coder) ?? then.at(-1) ?? agents[0];
}

function issueKey({ repositoryId, issue }: { repositoryId: number; issue: number }): string {
  return `${repositoryId}#${issue}`;
}

function byIssue(agents: readonly LedgerAgent[]): ReadonlyMap<string, readonly LedgerAgent[]> {
  return Map.groupBy(
    agents.toSorted((one, other) => one.id - other.id),
    issueKey,
  );
}

/** Splits a period at midnight UTC. */
function byDay(from: number, to: number): readonly { day: number; ms: number }[] {
  const days: { day: number; ms: number }[] = [];
  for (let day = dayOf(from); startOfDay(day) < to; day += 1)
    days.push({ day, ms: Math.min(to, startOfDay(day + 1)) - Math.max(from, startOfDay(day)) });
  return days;
}

/** A move by which an agent began or ceased to be ACTIVE. */
interface AwakeMove {
  readonly agentId: number;
  readonly at: number;
  readonly begins: boolean;
}

interface AwakePeriod {
  readonly agent: LedgerAgent;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns when agents were ACTIVE within `[from, to)`, by their moves since `from`. A period without a beginning began
 * before; one without an end counts up to `to`.
 */
export function awakePeriods(
  agents: readonly LedgerAgent[],
  moves: readonly AwakeMove[],
  { from, to }: { from: number; to: number },
): readonly AwakePeriod[] {
  const byAgent = Map.groupBy(moves, ({ agentId }) => agentId);
  return agents.flatMap((agent) => {
    const periods: AwakePeriod[] = [];
    let since: number | null = null;
    for (const { at, begins } of byAgent.get(agent.id) ?? []) {
      if (begins) since = at;
      else {
        periods.push({ agent, from: since ?? from, to: at });
        since = null;
      }
    }
    if (agent.activeSince !== null) periods.push({ agent, from: Math.max(agent.activeSince, from), to });
    return periods.filter((period) => period.to > period.from);
  });
}
