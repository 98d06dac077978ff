import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import { GitHubError, messageOf } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import {
  chosenBase,
  issueOfCoder,
  withinLimits,
  withoutBranch,
} from "../../domain/settings/repository-limits.ts";
import { baseOf } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Returns the change set without the starts of coders whose base branch does not exist, and with what people must know about
 * work here. Where GitHub does not answer, returns it unchanged.
 */
export async function withoutForbiddenStarts(
  { github, log, store, settingsOf }: EngineContext,
  repository: RepositoryRow,
  changes: ChangeSet,
): Promise<ChangeSet> {
  const issue = issueOfCoder(changes);
  if (issue === null) return changes;
  const opened = chosenBase(changes);
  const base = opened ?? (await baseOf(store, repository, issue));
  try {
    if (opened !== null && !(await github.hasBranch(repository, opened)))
      return withoutBranch(changes, opened, fullName(repository));
    const { method } = settingsOf(repository.id).merge;
    return withinLimits(changes, await github.repositoryLimits(repository, base), { base, method });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warn({ error: messageOf(error) }, "repository's requirements not read");
    return changes;
  }
}
