import type { Limits } from "../core/limits.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { EngineContext } from "./context.ts";
import { note } from "./settle.ts";

const LIMIT = "max_sleep_duration";

/** Says in the log, once in each sleep, that it comes near its limit; the agent reads how long it slept when it wakes. */
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
