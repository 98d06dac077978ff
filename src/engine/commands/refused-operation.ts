import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { reach } from "./reach.ts";

/**
 * Runs the operation and records a refusal as a decision about the agent, so that `flotilla explain` shows it
 * later.
 */
export async function recordingRefusal<Result>(
  context: EngineContext,
  asked: { readonly agent: string; readonly operation: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperationError) await note(context, asked, error);
    throw error;
  }
}

async function note(
  context: EngineContext,
  asked: { readonly agent: string; readonly operation: string },
  error: OperationError,
): Promise<void> {
  // A decision needs an agent that exists.
  const reached = await reach(context.store, asked.agent).catch(() => null);
  if (reached === null) return;
  const { id: agentId, repositoryId, issue, state } = reached.agent;
  await context.store.decisions.add({
    at: context.clock.now(),
    agentId,
    repositoryId,
    issue,
    rule: "operation_refused",
    reason: `the operator's ${asked.operation} was refused: ${error.message}`,
    change: error.hint,
    inputs: { operation: asked.operation, state, code: error.code },
    delivery: null,
  });
}
