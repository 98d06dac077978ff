import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import { GitHubError, messageOf } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { startsCoder, withinLimits } from "../../domain/settings/repository-limits.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Returns the change set without the starts of coders that the repository's limits forbid. Where GitHub does
 * not answer, returns it unchanged.
 */
export async function withoutForbiddenStarts(
  { github, log }: EngineContext,
  repository: RepositoryRow,
  changes: ChangeSet,
): Promise<ChangeSet> {
  if (!startsCoder(changes)) return changes;
  const { defaultBranch } = repository;
  try {
    return withinLimits(changes, await github.repositoryLimits(repository, defaultBranch), defaultBranch);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warn({ error: messageOf(error) }, "repository's requirements not read");
    return changes;
  }
}
