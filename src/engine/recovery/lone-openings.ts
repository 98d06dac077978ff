import { OPENING_STEPS } from "../../domain/breakers/lone-opening.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Store } from "../../domain/ports/store.ts";
import { startAgent } from "../agents/start-agents.ts";
import { agentLane } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Dispatcher } from "../outbox/dispatcher.ts";
import { withTimeLimit } from "../outbox/with-time-limit.ts";
import type { Drivers } from "../sessions/drivers.ts";

/** Time limit for all lone openings together; the remaining agents are opened beside other work. */
const LIMIT_MS = 60_000;

/**
 * Returns the agents whose openings were under way when the process ended, those that were opened alone
 * first. Call it before recovery releases the leases.
 */
export async function suspects(store: Store): Promise<readonly number[]> {
  const lost = (await store.loneOpenings.all()).toSorted((a, b) => b.begun - a.begun);
  const opening = await store.effects.find({ kind: "open_session", state: "leased" });
  return [...new Set([...lost, ...opening].flatMap(({ agentId }) => agentId ?? []))];
}

/**
 * Opens these agents one after another while nothing else begins, so that a process that ends now was ended
 * by that opening. Once an earlier agent is in an exchange, openings continue one by one but no longer count
 * as alone.
 */
export async function openAlone(
  context: EngineContext,
  parts: { readonly drivers: Drivers; readonly worker: Dispatcher },
  agents: readonly number[],
): Promise<void> {
  const { clock, log, store } = context;
  const until = clock.now() + LIMIT_MS;
  for (const agentId of agents) {
    const left = until - clock.now();
    if (left <= 0) return;
    const release = parts.drivers.claimAlone(agentId);
    try {
      await withTimeLimit(clock, left, openOne(context, parts.worker, agentId));
    } catch (error) {
      log.warn({ error: messageOf(error), agentId }, "an agent is not opened alone any longer");
      for (const step of OPENING_STEPS) await store.loneOpenings.end(agentId, step);
    } finally {
      release();
    }
  }
}

/** Resolves when the opening has ended in any way, or cannot begin for now. */
async function openOne(context: EngineContext, worker: Dispatcher, agentId: number): Promise<void> {
  const { effects } = context.store;
  const lane = agentLane(agentId);
  // The effect that closes the earlier session comes before the wake.
  while ((await worker.tick(lane)) > 0) await worker.idle();
  await startAgent(context, agentId, (_, error) => Promise.reject(error));
  const waits = async (): Promise<boolean> =>
    (await effects.find({ agentId, kind: "open_session", state: "pending" })).length > 0;
  while ((await waits()) && (await worker.tick(lane)) > 0) await worker.idle();
}
