import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord, WakeReason } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, StepContext, Stepped } from "../kernel/engine-context.ts";
import { isHolder } from "../kernel/is-holder.ts";

/** Wakes that say only that it may continue. */
const BARE_WAKES: readonly WakeReason[] = ["retry", "restart", "limit_reset", "time", "resumed"];

/**
 * Wakes that tell nothing have done their work; left pending, they would end the sleep that a recorded intent asks for.
 * Once the period is over they stay: the pause that ended it came with such a wake.
 */
export async function dropBareWakes({ store, clock }: EngineContext, agent: AgentRecord): Promise<void> {
  await store.transaction(async (tables) => {
    if (await isHolder(tables, agent)) await drop(tables, agent.id, clock.now());
  });
}

/**
 * An agent whose process died before the model answered has not been told what woke it. By the wake that only says that
 * it may continue it would be woken again at once, and not after the pause that it waits for now.
 */
export async function dropSpentWakes(
  { tables }: StepContext,
  { after, event }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (event.type === "WAIT" && event.dueAt !== null) await drop(tables, after.id, event.at);
}

async function drop({ wakes }: Pick<Tables, "wakes">, agentId: number, at: number): Promise<void> {
  const bare = (await wakes.pending(agentId)).filter((wake) => BARE_WAKES.includes(wake.reason));
  if (bare.length === 0) return;
  await wakes.settle(
    bare.map((wake) => wake.id),
    "delivered",
    at,
  );
}
