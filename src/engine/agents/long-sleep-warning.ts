import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Limits } from "../../domain/breakers/limits.ts";
import { note } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

const LIMIT = "max_sleep_duration";

/**
 * Logs a warning, once per sleep, when the sleep approaches its limit; the agent reads how long it slept when
 * it wakes.
 */
export async function warnOfLongSleep(
  context: EngineContext,
  agent: AgentRecord,
  limits: Pick<Limits, "maxSleepDurationMs" | "warnAt">,
): Promise<void> {
  const { sleepingSince, warned } = agent;
  if (sleepingSince === null) return;
  const key = `${LIMIT}:${sleepingSince}`;
  const sleptMs = context.clock.now() - sleepingSince;
  if (sleptMs < limits.maxSleepDurationMs * limits.warnAt || warned.includes(key)) return;
  context.log.warn({ agent: agent.name, limit: LIMIT, sleptMs }, "an agent comes near a limit");
  const others = warned.filter((one) => !one.startsWith(`${LIMIT}:`));
  await context.store.transaction((tables) => note(tables, agent.id, { warned: [...others, key] }));
}
