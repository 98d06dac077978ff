import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf, type OutsideError, RuntimeError } from "../../domain/kernel/errors.ts";
import { advanceAgent, sessionMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { presentSession } from "./conversation.ts";

/** Deletes the conversations that the present one has taken over from; not before it stands. */
export async function dropOldSessions(context: EngineContext, agent: AgentRecord): Promise<void> {
  const sessions = await context.store.records.find("session", {
    agentId: agent.id,
    state: ["stopping", "failed"],
  });
  const old = sessions.filter(({ sessionId }) => sessionId !== agent.sessionId);
  const baseDirectory = await context.directories.session(agent.id);
  for (const { sessionId } of old) await destroyed(context, { sessionId, baseDirectory });
  const at = context.clock.now();
  if (old.length > 0)
    await advanceAgent(context, agent, {
      moves: old.map((session) =>
        sessionMove(session, { type: "STOPPED", at, actor: "flotilla", reason: "handoff" }),
      ),
    });
}

/** Deletes a conversation where that can be done: one that stays costs room, and goes with the agent's directory. */
export async function destroyed(
  { runtime, log }: Pick<EngineContext, "runtime" | "log">,
  place: { readonly sessionId: string; readonly baseDirectory: string },
): Promise<void> {
  await runtime.destroy(place).catch((error: unknown) => {
    log.warn({ error: messageOf(error), session: place.sessionId }, "a conversation was not deleted");
  });
}

/**
 * Deletes what lies in the place of a conversation that was never opened, and throws so that it is tried again: the agent
 * has put it there, and one handoff after the other would come of it. Does nothing for a conversation that had begun.
 */
export async function clearNewConversation(
  context: EngineContext,
  agent: AgentRecord,
  damage: OutsideError,
): Promise<void> {
  const session = await presentSession(context, agent);
  if (session === undefined || session.model !== null || session.lives > 1) return;
  const { sessionId } = session;
  await context.runtime.destroy({ sessionId, baseDirectory: await context.directories.session(agent.id) });
  throw new RuntimeError(
    "place_taken",
    `something lay in the place of a new conversation and is deleted: ${damage.message}`,
    { consequence: "retry", advice: damage.advice, cause: damage },
  );
}

/** The model that the present conversation was begun with, where it is not the one that its role has now. */
export async function earlierModel(
  context: EngineContext,
  agent: AgentRecord,
  model: string,
): Promise<string | null> {
  const before = (await presentSession(context, agent))?.model ?? null;
  return before === model ? null : before;
}

/** Kept with the conversation, for when the role's model changes. */
export async function noteModel(context: EngineContext, agent: AgentRecord, model: string): Promise<void> {
  const session = await presentSession(context, agent);
  if (session !== undefined && session.model === null)
    await context.store.records.save("session", session, { ...session, model });
}
