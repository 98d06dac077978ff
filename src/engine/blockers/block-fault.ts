import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isAtWorkOn } from "../../domain/agents/agent-task.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { BlockReport, IssueBlock } from "../../domain/sessions/intent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { checkBlocker } from "./check-block-report.ts";

/** Returns why the report of a block is refused, for the model; null when it is accepted. */
export function blockFault(
  context: EngineContext,
  agent: AgentRecord,
  report: BlockReport,
): Promise<string | null> {
  return "cause" in report ? replanningFault(context, agent) : issueFault(context, agent, report);
}

async function replanningFault(context: EngineContext, agent: AgentRecord): Promise<string | null> {
  const task = await taskOf(context.store, agent.repositoryId, agent.issue);
  if (isAtWorkOn(agent, task)) return null;
  return "You do not work on a task that could be replanned. Use escalate_to_human.";
}

async function issueFault(
  context: EngineContext,
  agent: AgentRecord,
  report: IssueBlock,
): Promise<string | null> {
  const { blocker, repository } = report;
  const name = `${repository ?? ""}#${blocker}`;
  if (blocker === agent.issue && repository === undefined)
    return "An issue cannot block itself. Name another issue, or use escalate_to_human.";
  try {
    const check = await checkBlocker(context, agent, report);
    if (check.found === "missing")
      return repository === undefined
        ? `#${blocker} does not exist in this repository.`
        : `${name} is no issue that Flotilla can see: it must exist, in a repository where the App is installed and that the configuration lists. Use escalate_to_human.`;
    if (check.found === "closed")
      return `${name} is already closed; it does not block you. Continue with the work.`;
    if (check.found === "part")
      return `${name} is a part of your own issue, and an issue does not wait for its parts. Do it here, or use escalate_to_human.`;
    if (check.cycle !== null)
      return `${name} waits for you already: ${check.cycle.join(" → ")}. Solve it here, or use escalate_to_human.`;
    return null;
  } catch (error) {
    return `GitHub could not be asked about ${name} (${messageOf(error)}). Try again.`;
  }
}
