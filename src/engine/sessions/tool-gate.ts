import type { Role } from "../../domain/agents/role.ts";
import type { RuntimeTools, ToolGate } from "../../domain/ports/agent-runtime.ts";
import { isTooDeep, TOO_DEEP } from "../../domain/sessions/nesting.ts";
import { mayCall } from "../../domain/sessions/tool-names.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runtimeToolsOf } from "../kernel/runtime-of.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import { planCheck } from "../planning/plan-first.ts";
import { approvalCheck } from "../questions/ask-person.ts";
import { heldCommitCheck } from "../tasks/hold-commit.ts";
import { phaseCheck } from "./invariant-check.ts";
import type { Observed, SessionRecord } from "./session-record.ts";
import type { ToolCheck } from "./tool-check.ts";

/**
 * Creates the gate of one agent's session: runs its checks in order, the first refusal counts. The meter
 * comes first, so that refused calls count too; checks that need the run in state `executing` come after the phase
 * check. The call is pending meanwhile, and running once it is let go.
 */
export function toolGate(
  context: EngineContext,
  { agent, role, meter, guards, instructions, writes }: Observed,
  record: SessionRecord,
): ToolGate {
  const checks: readonly ToolCheck[] = [
    ({ toolName }) => meter.gate(toolName),
    recordedCheck(writes),
    nestingCheck,
    roleCheck(runtimeToolsOf(context, agent), role),
    (call) => guards.check(call),
    planCheck(context, agent),
    heldCommitCheck(context, agent),
    phaseCheck(context, agent),
    approvalCheck(context, agent, meter.stop),
  ];
  return async (made) => {
    const call = isTooDeep(made.args) ? { ...made, args: TOO_DEEP } : made;
    const decided = record.decides(call);
    for (const check of checks) {
      const answer = await check(call);
      if (answer.allow) continue;
      record.refused(decided, answer);
      return meter.stop.refused(answer);
    }
    instructions.touch(call);
    return record.letGo(decided);
  };
}

/** Checks a call only after everything before it is written: the model's text, and the call itself as pending. */
function recordedCheck(writes: WriteQueue): ToolCheck {
  return async () => {
    await writes.flush();
    return { allow: true };
  };
}

/** Refuses a call of which the checks that follow could not see all. */
const nestingCheck: ToolCheck = ({ args }) =>
  args === TOO_DEEP
    ? { allow: false, reason: `arguments_too_deep: these are ${TOO_DEEP}. Flatten them.`, endExchange: false }
    : { allow: true };

/** Allows only the tools that the role has in this attempt, whatever the runtime offers. */
function roleCheck(runtimeTools: RuntimeTools, role: Role): ToolCheck {
  return ({ toolName }) =>
    mayCall(role, toolName, runtimeTools)
      ? { allow: true }
      : {
          allow: false,
          reason: `tool_not_allowed: this agent of ${role.name} has no tool ${toolName}.`,
          endExchange: false,
        };
}
