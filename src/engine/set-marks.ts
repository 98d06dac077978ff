import { isLive } from "../core/machines/agent-record.ts";
import { changedMarks } from "../core/marks.ts";
import type { Tables } from "../core/ports/store.ts";
import type { MarkWish } from "../core/reaction.ts";

/** Sets it on the agent as it is now; one that has ended, or would have too many, stays as it is. */
export async function setMarks(tables: Tables, { agentId, change }: MarkWish): Promise<void> {
  const agent = await tables.records.get("agent", agentId);
  if (agent === undefined || !isLive(agent)) return;
  const marks = changedMarks(agent, change);
  if (!("fault" in marks)) await tables.records.save("agent", agent, { ...agent, ...marks });
}
