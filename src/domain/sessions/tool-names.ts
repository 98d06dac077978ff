import type { Role } from "../agents/role.ts";
import type { RuntimeTools } from "../ports/agent-runtime.ts";

/** Every role has it, and may call it only when it is asked to. */
export const HANDOFF_TOOL = "write_handoff";

/** Ends planning; with plan first a person is asked about it. */
export const PLAN_TOOL = "submit_plan";

/** They end the agent's turn until somebody answers; an ephemeral role has one run, so they are not offered to it. */
export const ASKING_TOOLS: ReadonlySet<string> = new Set(["ask_human"]);

/** Only an evaluator's session has it. */
export const EVALUATION_TOOL = "submit_evaluation";

/**
 * Returns whether a role's list allows a tool: one of ours that it names, the handoff that any of them may be asked
 * for, or one of the runtime's behind its capabilities.
 */
export function mayCall(
  role: Pick<Role, "tools" | "capabilities">,
  toolName: string,
  runtimeTools: RuntimeTools,
): boolean {
  const capability = runtimeTools.get(toolName)?.capability ?? null;
  return (
    toolName === HANDOFF_TOOL ||
    role.tools.includes(toolName) ||
    (capability !== null && role.capabilities.includes(capability))
  );
}
