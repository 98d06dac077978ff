import { isLive } from "../../domain/agents/agent-record.ts";
import { changedMarks } from "../../domain/agents/marks.ts";
import type { NewMarks } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/** Saves the marks of a change set. */
export async function saveMarks(
  _: EngineContext,
  tables: Tables,
  { changes }: TransitionRequest,
): Promise<void> {
  for (const newMarks of changes.marks) await setMarks(tables, newMarks);
}

/**
 * Changes the labels and tags of the agent as it is now. Throws `StaleSnapshot` where the agent has ended or
 * would have too many, so that the caller decides again.
 */
async function setMarks(tables: Tables, { agentId, change }: NewMarks): Promise<void> {
  const agent = await tables.records.get("agent", agentId);
  if (agent === undefined || !isLive(agent)) throw new StaleSnapshot("agent", agentId);
  const marks = changedMarks(agent, change);
  if ("fault" in marks) throw new StaleSnapshot("agent", agentId);
  await tables.records.save("agent", agent, { ...agent, ...marks });
}
