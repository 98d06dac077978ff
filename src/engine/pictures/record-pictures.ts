import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { eachOnce, type ShownPicture } from "../../domain/pictures/shown-picture.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { conversationOf } from "../kernel/find-records.ts";

/** Adds pictures to the record of the agent's conversation, before a message shows them. */
export async function recordPictures(
  { store }: EngineContext,
  agent: AgentRecord,
  shown: readonly ShownPicture[],
): Promise<void> {
  if (shown.length === 0) return;
  await store.transaction(async (tables) => {
    const session = await conversationOf(tables, agent);
    if (session === undefined) return;
    const pictures = eachOnce([...session.pictures, ...shown]);
    await tables.records.save("session", session, { ...session, pictures });
  });
}
