import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { knownRuntimeOf } from "../kernel/runtime-of.ts";

/**
 * Puts the agent's conversation back from the database if it is missing on the disk, or `damaged` there. Returns
 * whether it did. Never throws: the opening then finds what is there.
 */
export async function restoreConversation(
  context: EngineContext,
  agent: AgentRecord,
  { damaged }: { readonly damaged: boolean },
): Promise<boolean> {
  const { id: agentId, sessionId } = agent;
  const { directories, store, log } = context;
  const portable = knownRuntimeOf(context, agent)?.portable;
  if (portable === undefined || sessionId === null) return false;
  try {
    const baseDirectory = await directories.session(agentId);
    const place = { sessionId, baseDirectory, sentFile: await directories.sentFile(agentId) };
    if (!damaged && (await portable.isThere(place))) return false;
    const kept = await store.conversations.get(agentId);
    if (kept === undefined || kept.sessionId !== sessionId) return false;
    await portable.unpack(place, kept.packed);
    log.warn({ agent: agent.name, damaged }, "conversation put back from the database");
    return true;
  } catch (error) {
    log.warn({ agent: agent.name, error: messageOf(error) }, "conversation not put back from the database");
    return false;
  }
}
