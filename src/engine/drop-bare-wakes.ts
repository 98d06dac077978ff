import type { AgentRecord, WakeReason } from "../core/machines/agent-record.ts";
import type { EngineContext } from "./context.ts";

/** Wakes that say only that it may go on. */
const BARE_WAKES: readonly WakeReason[] = ["retry", "restart", "limit_reset", "time", "resumed"];

/** Wakes that tell nothing have done their work; left pending, they would end the sleep that a recorded intent asks for. */
export async function dropBareWakes({ store, clock }: EngineContext, agent: AgentRecord): Promise<void> {
  const bare = (await store.wakes.pending(agent.id)).filter((wake) => BARE_WAKES.includes(wake.reason));
  if (bare.length > 0)
    await store.wakes.settle(
      bare.map((wake) => wake.id),
      "delivered",
      clock.now(),
    );
}
