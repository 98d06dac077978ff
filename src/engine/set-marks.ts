import { StaleSnapshot } from "../core/errors.ts";
import { isLive } from "../core/machines/agent-record.ts";
import { changedMarks } from "../core/marks.ts";
import type { Tables } from "../core/ports/store.ts";
import type { MarkWish } from "../core/reaction.ts";

/** Sets it on the agent as it is now; where that one has ended, or would have too many, all is decided again. */
export async function setMarks(tables: Tables, { agentId, change }: MarkWish): Promise<void> {
  const agent = await tables.records.get("agent", agentId);
  if (agent === undefined || !isLive(agent)) throw new StaleSnapshot("agent", agentId);
  const marks = changedMarks(agent, change);
  if ("fault" in marks) throw new StaleSnapshot("agent", agentId);
  await tables.records.save("agent", agent, { ...agent, ...marks });
}
