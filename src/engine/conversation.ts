import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { SessionEvent, SessionRecord } from "../core/machines/session.ts";
import type { Move } from "../core/reaction.ts";
import type { EngineContext } from "./context.ts";
import { advanceHolder, sessionMove } from "./settle.ts";

/** The row of the conversation that the agent is in now. */
export async function presentSession(
  { store }: Pick<EngineContext, "store">,
  agent: AgentRecord,
): Promise<SessionRecord | undefined> {
  const sessions = await store.records.find("session", { agentId: agent.id });
  return sessions.findLast(({ sessionId }) => sessionId === agent.sessionId);
}

/** The move of a conversation whose process runs now: a new life of one that rested, the first words of one that starts. */
export async function opened(context: EngineContext, agent: AgentRecord): Promise<readonly Move[]> {
  const session = await presentSession(context, agent);
  if (session === undefined || session.state === "running") return [];
  return [told(context, session, session.state === "starting" ? "RUN" : "WAKE")];
}

/** Between two exchanges: it rests while the host works, and runs again before the model is asked. */
export async function betweenExchanges(
  context: EngineContext,
  agent: AgentRecord,
  type: "REST" | "RUN",
): Promise<void> {
  const session = await presentSession(context, agent);
  if (session === undefined || session.state !== (type === "REST" ? "running" : "idle")) return;
  await advanceHolder(context, agent, { moves: [told(context, session, type)] });
}

function told(context: EngineContext, session: SessionRecord, type: SessionEvent["type"]): Move {
  return sessionMove(session, { type, at: context.clock.now(), actor: "flotilla" });
}
