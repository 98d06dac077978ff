import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord, WakeReason } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, StepContext, Stepped } from "../kernel/engine-context.ts";
import { isHolder } from "../kernel/is-holder.ts";

/** Wakes that carry no message: they only allow the agent to continue. */
const BARE_WAKES: readonly WakeReason[] = ["retry", "restart", "limit_reset", "time", "resumed"];

/**
 * Settles pending wakes that carry no message; left pending, they would end the sleep that a recorded intent
 * asks for. Does nothing once the period is over: such a wake may belong to the pause that ended it.
 */
export async function dropBareWakes({ store, clock }: EngineContext, agent: AgentRecord): Promise<void> {
  await store.transaction(async (tables) => {
    if (await isHolder(tables, agent)) await drop(tables, agent.id, clock.now());
  });
}

/**
 * Settles wakes that carry no message when an agent begins to wait for a due time. Its process died before
 * the model answered, so the wake is still pending and would skip that wait.
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
