import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import type { EngineContext } from "./engine-context.ts";

/**
 * Returns the base branch of the issue's work, where it begins and where its pull request goes: that of its newest
 * task, else the repository's default branch.
 */
export async function baseOf(
  { records }: Pick<Tables, "records">,
  repository: Pick<RepositoryRow, "id" | "defaultBranch">,
  issue: number,
): Promise<string> {
  const tasks = await records.find("task", { repositoryId: repository.id, issue });
  return baseBranch(tasks.at(-1), repository);
}

/** Returns the base branch of the agent's work; on a person's pull request, where that one goes. Throws `GitHubError`. */
export async function baseOfAgent(
  { store, github }: Pick<EngineContext, "store" | "github">,
  repository: RepositoryRow,
  agent: Pick<AgentRecord, "issue" | "prNumber">,
): Promise<string> {
  return isOnPull(agent)
    ? (await github.pullRequest(repository, agent.issue)).baseRef
    : baseOf(store, repository, agent.issue);
}
