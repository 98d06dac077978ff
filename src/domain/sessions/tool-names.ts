import type { Role } from "../agents/role.ts";
import type { RuntimeTools } from "../ports/agent-runtime.ts";

/** Every role has this tool, and may call it only when asked to. */
export const HANDOFF_TOOL = "write_handoff";

/** A piece of work ends with one of these. */
export const ENDING_TOOLS = [
  "report_complete",
  "request_review",
  "submit_verdict",
  "report_blocked",
  "ask_human",
  "escalate_to_human",
] as const;

/** Ends planning; with plan first a person is asked to approve. */
export const PLAN_TOOL = "submit_plan";

/** These tools end the agent's turn until somebody answers; an ephemeral role has one run, so it does not get them. */
export const ASKING_TOOLS: ReadonlySet<string> = new Set(["ask_human"]);

/** Only an evaluator's session has this tool. */
export const EVALUATION_TOOL = "submit_evaluation";

/**
 * Returns whether a role's list allows a tool: one of ours that it names, the handoff tool, one of its MCP servers', or
 * one of the runtime's behind its capabilities.
 */
export function mayCall(
  role: Pick<Role, "tools" | "mcpTools" | "capabilities">,
  toolName: string,
  runtimeTools: RuntimeTools,
): boolean {
  const capability = runtimeTools.get(toolName)?.capability ?? null;
  return (
    toolName === HANDOFF_TOOL ||
    role.tools.includes(toolName) ||
    role.mcpTools.includes(toolName) ||
    (capability !== null && role.capabilities.includes(capability))
  );
}
