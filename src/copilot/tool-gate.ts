import { messageOf } from "../core/errors.ts";
import type { ToolCall, ToolGate } from "../core/ports/agent-runtime.ts";

/**
 * Asks the gate before a tool runs; undefined lets the call continue to the permission rules.
 * The runtime runs the tool when this throws, so a fault of the gate is a denial.
 */
export async function askGate(
  gate: ToolGate,
  call: ToolCall,
  on: { limit: () => void; fault: (detail: string) => void },
): Promise<{ permissionDecision: "deny"; permissionDecisionReason: string } | undefined> {
  try {
    const answer = await gate(call);
    if (answer.allow) return undefined;
    if (answer.endExchange) on.limit();
    return { permissionDecision: "deny", permissionDecisionReason: answer.reason };
  } catch (error) {
    on.fault(messageOf(error));
    return {
      permissionDecision: "deny",
      permissionDecisionReason: "The call could not be checked, so it was not made.",
    };
  }
}
