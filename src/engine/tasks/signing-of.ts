import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { ServerSigning } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Returns how commits for these branches are made where a rule takes only signed ones: by GitHub, which signs them.
 * Undefined where git pushes them.
 */
export async function signingOf(
  { github }: Pick<EngineContext, "github">,
  repository: RepositoryRow,
  branches: readonly string[],
): Promise<ServerSigning | undefined> {
  if (!(await github.takesOnlySigned(repository, branches))) return undefined;
  return {
    commit: (commit) => github.makeSignedCommit(repository, commit),
    moveBranch: (branch, commit) => github.moveBranch(repository, branch, commit),
  };
}
