import { GitHubError, messageOf } from "../core/errors.ts";
import type { Reaction } from "../core/reaction.ts";
import { startsCoder, withinLimits } from "../core/repository-limits.ts";
import type { RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";

/** The reaction as far as the repository lets a coder start. Where GitHub does not answer it continues as it is. */
export async function limited(
  { github, log }: EngineContext,
  repository: RepositoryRow,
  reaction: Reaction,
): Promise<Reaction> {
  if (!startsCoder(reaction)) return reaction;
  const { defaultBranch } = repository;
  try {
    return withinLimits(reaction, await github.repositoryLimits(repository, defaultBranch), defaultBranch);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warn({ error: messageOf(error) }, "what a repository asks for could not be read");
    return reaction;
  }
}
