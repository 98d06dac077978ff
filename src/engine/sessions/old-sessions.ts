import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf, type OutsideError, RuntimeError } from "../../domain/kernel/errors.ts";
import { advanceAgent, sessionMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { knownRuntimeOf, runtimeOf } from "../kernel/runtime-of.ts";
import { presentSession } from "./conversation.ts";

/** Deletes the conversations that the current one has replaced. Call it only once the current one is open. */
export async function dropOldSessions(context: EngineContext, agent: AgentRecord): Promise<void> {
  const sessions = await context.store.records.find("session", {
    agentId: agent.id,
    state: ["stopping", "failed"],
  });
  const old = sessions.filter(({ sessionId }) => sessionId !== agent.sessionId);
  const baseDirectory = await context.directories.session(agent.id);
  for (const { sessionId } of old) await destroySession(context, agent, { sessionId, baseDirectory });
  const at = context.clock.now();
  if (old.length > 0)
    await advanceAgent(context, agent, {
      moves: old.map((session) =>
        sessionMove(session, { type: "STOPPED", at, actor: "flotilla", reason: "handoff" }),
      ),
    });
}

/**
 * Deletes a conversation if possible; one that stays uses disk space until the agent's directory is deleted.
 */
export async function destroySession(
  context: Pick<EngineContext, "runtimes" | "log">,
  agent: Pick<AgentRecord, "runtime">,
  place: { readonly sessionId: string; readonly baseDirectory: string },
): Promise<void> {
  await knownRuntimeOf(context, agent)
    ?.destroy(place)
    .catch((error: unknown) => {
      context.log.warn({ error: messageOf(error), session: place.sessionId }, "session not deleted");
    });
}

/**
 * Deletes what occupies the directory of a conversation that was never opened, and throws so that the opening
 * is retried. The agent has put it there; a handoff would only meet it again. Does nothing for a conversation
 * that had begun.
 */
export async function clearNewConversation(
  context: EngineContext,
  agent: AgentRecord,
  damage: OutsideError,
): Promise<void> {
  const session = await presentSession(context, agent);
  if (session === undefined || session.model !== null || session.lives > 1) return;
  const { sessionId } = session;
  await runtimeOf(context, agent).destroy({
    sessionId,
    baseDirectory: await context.directories.session(agent.id),
  });
  throw new RuntimeError(
    "place_taken",
    `something lay in the place of a new conversation and is deleted: ${damage.message}`,
    { consequence: "retry", advice: damage.advice, cause: damage },
  );
}

/** Returns the model that the current conversation began with, if its role has another one now. */
export async function earlierModel(
  context: EngineContext,
  agent: AgentRecord,
  model: string,
): Promise<string | null> {
  const before = (await presentSession(context, agent))?.model ?? null;
  return before === model ? null : before;
}

/**
 * Stores with the conversation the model that it began with, to detect a later change of the role's model, and the runtime's
 * version, which people read. Reads and writes in one transaction, because the driver, which already runs, changes the
 * session too.
 */
export async function noteOpened(
  context: EngineContext,
  agent: AgentRecord,
  { model, runtimeVersion }: { readonly model: string; readonly runtimeVersion: string | null },
): Promise<void> {
  await context.store.transaction(async (tables) => {
    const session = await presentSession({ store: tables }, agent);
    if (session === undefined) return;
    const opened = { ...session, model: session.model ?? model, runtimeVersion };
    if (opened.model !== session.model || runtimeVersion !== session.runtimeVersion)
      await tables.records.save("session", session, opened);
  });
}
