import { changedAttributes } from "../../domain/agents/agent-attributes.ts";
import { isLive } from "../../domain/agents/agent-record.ts";
import type { NewAttributes } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/** Saves the attributes of a change set. */
export async function saveAttributes(
  _: EngineContext,
  tables: Tables,
  { changes }: TransitionRequest,
): Promise<void> {
  for (const newAttributes of changes.attributes) await setAttributes(tables, newAttributes);
}

/**
 * Changes the labels and tags of the agent as it is now. Throws `StaleSnapshot` where the agent has ended or
 * would have too many, so that the caller decides again.
 */
async function setAttributes(tables: Tables, { agentId, change }: NewAttributes): Promise<void> {
  const agent = await tables.records.get("agent", agentId);
  if (agent === undefined || !isLive(agent)) throw new StaleSnapshot("agent", agentId);
  const attributes = changedAttributes(agent, change);
  if ("fault" in attributes) throw new StaleSnapshot("agent", agentId);
  await tables.records.save("agent", agent, { ...agent, ...attributes });
}
