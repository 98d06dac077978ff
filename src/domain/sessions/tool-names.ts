import type { Role } from "../agents/role.ts";
import type { Capability } from "../ports/agent-runtime.ts";

/** The runtime's own tools behind each capability. Which of them exist depends on the model: naming all of them is harmless. */
export const RUNTIME_TOOLS: Readonly<Record<Capability, readonly string[]>> = {
  read: ["view", "grep", "rg", "glob"],
  edit: ["create", "edit", "apply_patch"],
  shell: ["bash", "read_bash", "stop_bash", "list_bash"],
};

/** Every role has it, and may call it only when it is asked to. */
export const HANDOFF_TOOL = "write_handoff";

/** Ends planning; with plan first a person is asked about it. */
export const PLAN_TOOL = "submit_plan";

/** They end the agent's turn until somebody answers; an ephemeral role has one run, so they are not offered to it. */
export const ASKING_TOOLS: ReadonlySet<string> = new Set(["ask_human"]);

/** Only an evaluator's session has it. */
export const EVALUATION_TOOL = "submit_evaluation";

/** Whether a role's list allows a tool: one of ours that it names, the handoff that any of them may be asked for, or one of the runtime's behind its capabilities. */
export function mayCall(role: Pick<Role, "tools" | "capabilities">, toolName: string): boolean {
  return (
    toolName === HANDOFF_TOOL ||
    role.tools.includes(toolName) ||
    role.capabilities.some((capability) => RUNTIME_TOOLS[capability].includes(toolName))
  );
}
