import { messageOf } from "../core/errors.ts";
import type { ToolGate } from "../core/ports/agent-runtime.ts";

/**
 * Asks the gate before a tool runs; undefined lets the call go on to the permission rules.
 * The runtime runs the tool when this throws, so a fault of the gate is a denial.
 */
export function askGate(
  gate: ToolGate,
  call: { toolName: string; args: unknown },
  on: { limit: () => void; fault: (detail: string) => void },
): { permissionDecision: "deny"; permissionDecisionReason: string } | undefined {
  try {
    const answer = gate(call);
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
