import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * The conversation of the evaluator that is asked in an awake period, by the session of that period: after a crash it is
 * found, ended and deleted without a record of its own. It is apart from what the agent may write.
 */
export async function evaluatorDirectory(
  context: EngineContext,
  session: { readonly agentId: number; readonly sessionId: string },
): Promise<{ readonly sessionId: string; readonly baseDirectory: string }> {
  return {
    sessionId: `${session.sessionId}-evaluation`,
    baseDirectory: await context.directories.evaluation(session.agentId),
  };
}
