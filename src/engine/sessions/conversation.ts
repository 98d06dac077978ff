import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { SessionEvent, SessionRecord } from "../../domain/agents/session.ts";
import type { Prompt } from "../../domain/conversation/prompts.ts";
import type { Move } from "../../domain/kernel/change-set.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { advanceHolder, runMove, sessionMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";

/** Returns the row of the agent's current conversation. */
export async function presentSession(
  { store }: { readonly store: Pick<Tables, "records"> },
  agent: AgentRecord,
): Promise<SessionRecord | undefined> {
  const sessions = await store.records.find("session", { agentId: agent.id });
  return sessions.findLast(({ sessionId }) => sessionId === agent.sessionId);
}

/**
 * Returns the moves after the process has started: the run begins, a resting conversation resumes, a starting
 * one runs.
 */
export async function opened(context: EngineContext, agent: AgentRecord): Promise<readonly Move[]> {
  const run = await runOf(context.store, agent.id);
  const session = await presentSession(context, agent);
  const by = { at: context.clock.now(), actor: "flotilla" };
  return [
    ...(run?.state === "initializing" ? [runMove(run, { ...by, type: "INIT_COMPLETE" })] : []),
    ...(session === undefined || session.state === "running"
      ? []
      : [sessionEvent(context, session, session.state === "starting" ? "RUN" : "WAKE")]),
  ];
}

/**
 * Marks the conversation as resting while the host works between two exchanges, and as running before the
 * next message.
 */
export async function restsDuring(
  context: EngineContext,
  agent: AgentRecord,
  work: () => Promise<Prompt | null>,
): Promise<Prompt | null> {
  const session = await presentSession(context, agent);
  const tell = (type: "REST" | "RUN") =>
    session === undefined
      ? undefined
      : advanceHolder(context, agent, { moves: [sessionEvent(context, session, type)] });
  await tell("REST");
  const prompt = await work();
  if (prompt !== null) await tell("RUN");
  return prompt;
}

function sessionEvent(context: EngineContext, session: SessionRecord, type: SessionEvent["type"]): Move {
  return sessionMove(session, { type, at: context.clock.now(), actor: "flotilla" });
}
