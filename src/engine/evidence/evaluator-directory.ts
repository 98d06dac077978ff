import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Returns the directory of the evaluator's conversation in one period, derived from the agent's session:
 * after a crash it can be found and deleted without a record. It lies outside what the agent may write.
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
