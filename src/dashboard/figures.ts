import { AGENT_STATES, type AgentRecord, type AgentState } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import { usd } from "./agent-view.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Of more agents than these, the latest are counted in. */
const MOST_AGENTS = 300;

/** One bar of a plot. */
export interface Bar {
  readonly key: string;
  readonly value: number;
}

/** What came of agents, and where their time went, in the last thirty days. Days are UTC's, the oldest first. */
export interface Figures {
  readonly completed: readonly Bar[];
  /** Failed and cancelled ones. */
  readonly given_up: readonly Bar[];
  /** Hours, by the agents' state. */
  readonly hours_in_state: readonly Bar[];
}

export async function figuresOf(
  { transitions }: Pick<Tables, "transitions">,
  agents: readonly AgentRecord[],
  now: number,
): Promise<Figures> {
  const since = firstDay(now);
  const ended = (states: readonly AgentState[]): readonly Bar[] =>
    days(now).map((day) => ({
      key: iso(day),
      value: agents.filter(
        ({ state, endedAt }) =>
          states.includes(state) && endedAt !== null && endedAt >= day && endedAt < day + DAY_MS,
      ).length,
    }));
  const hours = new Map<string, number>();
  for (const agent of agents.slice(-MOST_AGENTS)) {
    const moves = (await transitions.ofAgent(agent.id)).filter(({ machine }) => machine === "agent");
    for (const [index, { at, to }] of moves.entries()) {
      const until = moves[index + 1]?.at ?? agent.endedAt ?? now;
      const ms = Math.max(0, until - Math.max(at, since));
      hours.set(to, (hours.get(to) ?? 0) + ms / 3_600_000);
    }
  }
  const atWork = AGENT_STATES.filter((state) => !["COMPLETED", "FAILED", "CANCELLED"].includes(state));
  return {
    completed: ended(["COMPLETED"]),
    given_up: ended(["FAILED", "CANCELLED"]),
    hours_in_state: atWork.map((state) => ({ key: state, value: rounded(hours.get(state) ?? 0) })),
  };
}

/** US dollars by day of one repository. */
export async function costByDay(
  { budget }: Pick<Tables, "budget">,
  repositoryId: number,
  now: number,
): Promise<readonly Bar[]> {
  const from = days(now);
  const spent = await Promise.all(from.map((day) => budget.spentSince(repositoryId, day)));
  return from.map((day, index) => ({
    key: iso(day),
    value: usd((spent[index] ?? 0) - (spent[index + 1] ?? 0)),
  }));
}

/** US dollars by issue, over all attempts. */
export function costByIssue(agents: readonly AgentRecord[]): readonly Bar[] {
  const sums = new Map<number, number>();
  for (const { issue, costMicroUsd } of agents) sums.set(issue, (sums.get(issue) ?? 0) + costMicroUsd);
  return [...sums].map(([issue, micro]) => ({ key: `#${issue}`, value: usd(micro) }));
}

function firstDay(now: number): number {
  return now - (now % DAY_MS) - (DAYS - 1) * DAY_MS;
}

function days(now: number): readonly number[] {
  return Array.from({ length: DAYS }, (_, index) => firstDay(now) + index * DAY_MS);
}

function iso(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

function rounded(hours: number): number {
  return Math.round(hours * 100) / 100;
}
