import type { Replanner } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { canReceiveMessage, canReplan, NO_REPLANNER } from "../../domain/planning/replanning.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/**
 * Returns who can replan the agent's task: a planner of its own issue or of the parent issue. Throws
 * `GitHubError`.
 */
export async function replannerFor(context: EngineContext, agent: AgentRecord): Promise<Replanner> {
  const { roles } = context.settingsOf(agent.repositoryId);
  const role = [...roles.values()].find(canReplan);
  if (role === undefined) return NO_REPLANNER;
  const repository = await repositoryOf(context, agent.repositoryId);
  const whole = await wholeOf(context, repository, agent.issue);
  const live = await context.store.records.find("agent", {
    repositoryId: agent.repositoryId,
    issue: [agent.issue, ...(whole === null ? [] : [whole])],
    state: ["ACTIVE", "SLEEPING"],
  });
  const planner = live.find((one) => {
    const its = context.roleOf(one);
    return its !== undefined && canReplan(its) && canReceiveMessage(one);
  });
  return { agent: planner ?? null, role: role.name };
}

/** Returns the parent issue in the same repository. */
async function wholeOf(
  { github }: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<number | null> {
  try {
    const parent = await github.parentOf(repository, issue);
    const home = fullName(repository).toLowerCase();
    return parent !== null && parent.repository.toLowerCase() === home ? parent.number : null;
  } catch (error) {
    if (error instanceof GitHubError && (error.code === "not_found" || error.code === "forbidden"))
      return null;
    throw error;
  }
}
