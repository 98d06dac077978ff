import type { Replanner } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { hears, NO_REPLANNER, replans } from "../../domain/planning/replanning.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/** Who can replan the agent's task: what a planner may do is decided for its issue and the parts of it. Throws `GitHubError`. */
export async function replannerFor(context: EngineContext, agent: AgentRecord): Promise<Replanner> {
  const { roles } = context.settingsOf(agent.repositoryId);
  const role = [...roles.values()].find(replans);
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
    return its !== undefined && replans(its) && hears(one);
  });
  return { agent: planner ?? null, role: role.name };
}

/** The issue of the same repository that this one is a part of. */
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
