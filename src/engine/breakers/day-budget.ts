import type { GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type BudgetInForce, budgetsInForce, budgetWords } from "../../domain/breakers/budgets.ts";
import {
  type DayLimit,
  dayOf,
  daySpent,
  daySpentWords,
  raisesDay,
  startOfDay,
} from "../../domain/breakers/day-budget.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { dearestCall } from "../../domain/sessions/model-call.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";
import { callTerms } from "../kernel/models-of.ts";
import { readable } from "../kernel/readable.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/** A daily limit of the repository that is reached. */
interface DaySpent {
  readonly limit: DayLimit;
  readonly words: string;
}

/**
 * Returns the daily limits of the repository that forbid a start or wake; empty when it is allowed. Each
 * working agent reserves the cost of one more model call. `agentId` is the agent that would start or wake;
 * `starts` = it is a start, whose number is limited too.
 */
export async function dayBudget(
  context: EngineContext,
  tables: Pick<Tables, "records" | "budget" | "repositories">,
  asked: { repositoryId: number; agentId: number; starts: boolean; at: number },
): Promise<readonly DaySpent[]> {
  const spent: DaySpent[] = [];
  const { repositoryId, at } = asked;
  const { maxAgents } = context.settingsOf(repositoryId).repositoryPerDay;
  await context.ledger.load(tables, repositoryId, at);
  if (asked.starts) {
    const started = await tables.budget.startedSince(repositoryId, startOfDay(dayOf(at)));
    // Grants only add to the limit, so they matter once it is reached.
    const granted = started < maxAgents ? 0 : (await tables.budget.granted(repositoryId, dayOf(at))).agents;
    const allowed = maxAgents + granted;
    if (started >= allowed)
      spent.push({ limit: "max_agents", words: `the repository has started its ${allowed} agents of today` });
  }
  const use = context.ledger.use(repositoryId, at);
  if (use.allowed === null) return spent;
  const active = await readable(tables, "agent", { repositoryId, state: "ACTIVE" });
  const others = active.filter((agent) => agent.id !== asked.agentId);
  const reserved = others.reduce((sum, agent) => sum + callOf(context, agent), 0);
  if (daySpent({ ...use, reserved }))
    spent.push({ limit: "max_cost_usd", words: daySpentWords(use.allowed) });
  return spent;
}

/** Returns the daily budget for the guard of a move to ACTIVE; every other move passes. */
export async function budgetFor(
  context: EngineContext,
  tables: Pick<Tables, "records" | "budget" | "repositories">,
  { agent, event }: Guarded,
): Promise<GuardContext["budget"]> {
  const starts = event.type === "START";
  if (!starts && event.type !== "WAKE" && event.type !== "RESUME") return true;
  const asked = { repositoryId: agent.repositoryId, agentId: agent.id, starts, at: event.at };
  const [spent] = await dayBudget(context, tables, asked);
  if (spent !== undefined) return { reason: spent.words, change: raisesDay(spent.limit) };
  const reached = await budgetReached(context, tables, asked);
  return reached === null ? true : budgetWords(reached);
}

/** Returns the first of `circuit_breakers.budgets` that forbids the start or wake; `dayBudget` has loaded its account. */
async function budgetReached(
  context: EngineContext,
  tables: Pick<Tables, "records">,
  { repositoryId, agentId, at }: { repositoryId: number; agentId: number; at: number },
): Promise<BudgetInForce | null> {
  if (budgetsInForce(context.settingsOf(repositoryId).budgets).length === 0) return null;
  const others = (await readable(tables, "agent", { state: "ACTIVE" })).filter(({ id }) => id !== agentId);
  const reserved = (isMember: (repositoryId: number) => boolean) =>
    others
      .filter((agent) => isMember(agent.repositoryId))
      .reduce((sum, agent) => sum + callOf(context, agent), 0);
  return context.ledger.accounts.reached(repositoryId, at, reserved);
}

/**
 * Returns, by repository, what its day may cost and the most that the next model calls of its working agents can: nothing more
 * begins there where that and what is spent reach the limit. Null = the limit is off.
 */
export async function dayBudgets(
  context: EngineContext,
  repositoryIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly allowed: number | null; readonly reserved: number }>> {
  const { store, clock } = context;
  const active = await readable(store, "agent", { repositoryId: repositoryIds, state: "ACTIVE" });
  const atWork = Map.groupBy(active, ({ repositoryId }) => repositoryId);
  const found = new Map<number, { readonly allowed: number | null; readonly reserved: number }>();
  for (const id of repositoryIds) {
    await context.ledger.load(store, id, clock.now());
    const { allowed } = context.ledger.use(id, clock.now());
    const reserved = (atWork.get(id) ?? []).reduce((sum, agent) => sum + callOf(context, agent), 0);
    found.set(id, { allowed, reserved });
  }
  return found;
}

/** Returns the maximum cost of one model call of the agent, in micro-dollars. */
function callOf(context: EngineContext, agent: AgentRecord): number {
  return dearestCall(callTerms(context, context.useOf(agent))).costMicroUsd;
}

/** Saves the extensions of the repository's daily budget in a change set. */
export async function saveDayGrants(
  _: EngineContext,
  tables: Tables,
  { at, repositoryId, issue, changes }: TransitionRequest,
): Promise<void> {
  for (const { by, ...grant } of changes.dayGrants)
    await tables.budget.grant({ ...grant, grantedBy: by, repositoryId, issue, day: dayOf(at), at });
}

/** Applies the extensions to the ledger in memory once they are committed. */
export async function applyDayGrants(
  context: EngineContext,
  { at, repositoryId, changes }: TransitionRequest,
): Promise<void> {
  for (const { costMicroUsd } of changes.dayGrants) context.ledger.raise(repositoryId, costMicroUsd, at);
}

/** How often the spending of other processes is read. */
const REFRESH_MS = 5_000;

/** Returns a round that counts what other nodes spend; it does nothing where there are none. */
export function othersSpending({ alone, clock, ledger, store }: EngineContext): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (alone || now - last < REFRESH_MS) return;
    last = now;
    await ledger.refresh(store, now);
  };
}
