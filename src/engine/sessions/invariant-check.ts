import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ToolGateAnswer } from "../../domain/ports/agent-runtime.ts";
import { changesSomething } from "../../domain/sessions/tool-kind.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { PERIOD_OVER } from "../kernel/is-holder.ts";
import { leavePlanning } from "../planning/leave-planning.ts";
import type { ToolCheck } from "./tool-check.ts";

/**
 * Lets a tool that changes something run only while the run is in executing: the call waits for that write,
 * and is refused when it fails or the agent's period is over. Reading tools run in any phase.
 */
export function phaseCheck(context: EngineContext, agent: AgentRecord): ToolCheck {
  // Calls of one turn are checked concurrently; the first moves the run, the others find it moved.
  let last: Promise<unknown> = Promise.resolve();
  return ({ toolName }) => {
    if (!changesSomething(context.toolKind(toolName, agent))) return { allow: true };
    const answer = last.then(() => entered(context, agent));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function entered(context: EngineContext, agent: AgentRecord): Promise<ToolGateAnswer> {
  const left = await leavePlanning(context, agent);
  if (left === "fenced") return PERIOD_OVER;
  const run = await runOf(context.store, agent.id);
  if (run?.state === "executing") return { allow: true };
  return {
    allow: false,
    reason: `Nothing is changed while your run is ${run?.state ?? "missing"}.`,
    endExchange: false,
  };
}
