import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Scope } from "../../domain/breakers/scope.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { pauseScope, type ScopePauseRequest } from "../breakers/scope-pause.ts";
import { isHere } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Reaching } from "./talk.ts";

/** Longest time that an emergency stop waits for processes: 10 s for an orderly end, 5 s for the kill. */
const STOP_BOUND_MS = 15_000;

export interface ScopeStopped {
  /** False when the scope was paused already. */
  readonly news: boolean;
  /** Names of the agents that were put to sleep. */
  readonly paused: readonly string[];
  /** Processes that had not ended in time; they are killed all the same. */
  readonly stillStopping: number;
}

/** Pauses the scope, then ends every runtime process in it within 15 s. */
export async function emergencyStop(
  context: EngineContext,
  reaching: Reaching,
  request: ScopePauseRequest,
): Promise<ScopeStopped> {
  const { news, paused } = await pauseScope(context, request);
  const here = await inScope(context, reaching.drivers.running(), request.scope);
  const ids = new Set([...here, ...paused.map(({ id }) => id)]);
  const stillStopping = await stopAll(context, reaching, [...ids]);
  return { news, paused: paused.map(({ name }) => name), stillStopping };
}

async function inScope(
  context: EngineContext,
  ids: readonly number[],
  scope: Scope,
): Promise<readonly AgentRecord["id"][]> {
  if (scope === "all") return ids;
  const repositoryId = Number(scope.slice("repository:".length));
  const agents = await context.store.records.find("agent", { id: ids, repositoryId });
  return agents.map(({ id }) => id);
}

/**
 * Ends the processes at once, not in the order of the outbox; those of other nodes end there, by the effect that closes
 * their session. Returns how many are not gone when the time is over.
 */
export async function stopAll(
  context: EngineContext,
  { drivers, settled }: Reaching,
  ids: readonly number[],
): Promise<number> {
  const left = new Set(ids);
  const elsewhere = await closingElsewhere(context, ids);
  const stops = ids.map(async (id) => {
    await drivers.stop(id);
    const closing = elsewhere.get(id);
    // Longer than the bound, which therefore ends first.
    if (closing !== undefined) await settled(closing, 2 * STOP_BOUND_MS);
    left.delete(id);
  });
  await withTimeout(context.clock, STOP_BOUND_MS, Promise.allSettled(stops), () => undefined);
  return left.size;
}

/** Returns, by agent, the effects that close sessions on other nodes. */
async function closingElsewhere(
  context: EngineContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (context.alone || ids.length === 0) return new Map();
  const { records, effects } = context.store;
  const there = (await records.find("agent", { id: ids })).filter((agent) => !isHere(context, agent));
  if (there.length === 0) return new Map();
  const closing = await effects.find({
    kind: "close_session",
    state: ["pending", "leased"],
    agentId: there.map(({ id }) => id),
  });
  return new Map(closing.flatMap(({ id, agentId }) => (agentId === null ? [] : [[agentId, id]])));
}
