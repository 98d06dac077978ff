import type { Role } from "../../domain/agents/role.ts";
import type { ToolCall, ToolGate } from "../../domain/ports/agent-runtime.ts";
import { mayCall } from "../../domain/sessions/tool-names.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import { planCheck } from "../planning/plan-first.ts";
import { approvalCheck } from "../questions/ask-person.ts";
import { heldCommitCheck } from "../tasks/hold-commit.ts";
import { phaseCheck } from "./invariant-check.ts";
import type { Observed } from "./session-record.ts";
import type { ToolCheck } from "./tool-check.ts";

/**
 * The gate of one agent's session: its checks in order, the first refusal counts. The count comes first, so that refused
 * calls meet the limit too. What needs the Run in executing comes after the phase. `onRefusal` is told of each refusal.
 */
export function toolGate(
  context: EngineContext,
  { agent, role, meter, guards, writes }: Observed,
  onRefusal: (call: ToolCall, reason: string) => void,
): ToolGate {
  const checks: readonly ToolCheck[] = [
    ({ toolName }) => meter.gate(toolName),
    recordedCheck(writes),
    roleCheck(context, role),
    (call) => guards.check(call),
    planCheck(context, agent),
    heldCommitCheck(context, agent),
    phaseCheck(context, agent),
    approvalCheck(context, agent),
  ];
  return async (call) => {
    for (const check of checks) {
      const answer = await check(call);
      if (answer.allow) continue;
      onRefusal(call, answer.reason);
      return answer;
    }
    return { allow: true };
  };
}

/** Nothing runs before all that led to it is written: the count, what the model said, the call itself. */
function recordedCheck(writes: WriteQueue): ToolCheck {
  return async () => {
    await writes.flush();
    return { allow: true };
  };
}

/** Only what the role's list names, whatever the runtime offers. */
function roleCheck({ runtime }: EngineContext, role: Role): ToolCheck {
  return ({ toolName }) =>
    mayCall(role, toolName, runtime.tools)
      ? { allow: true }
      : {
          allow: false,
          reason: `tool_not_allowed: the role ${role.name} has no tool ${toolName}.`,
          endExchange: false,
        };
}
