import type { BlockersRow } from "../core/blockers.ts";
import { GitHubError } from "../core/errors.ts";
import { parseFullName } from "../core/repository.ts";
import type { EngineContext } from "./context.ts";

type Blocker = BlockersRow["blockers"][number];

/**
 * What an issue is blocked by on a server that keeps no dependencies: what is known already, each looked at again. One
 * that is gone, or that we may not see any more, blocks nothing. Throws `GitHubError`.
 */
export async function unlinkedBlockers(
  context: EngineContext,
  repositoryId: number,
  issue: number,
): Promise<readonly Blocker[]> {
  const known = await context.store.blockers.get(repositoryId, issue);
  return Promise.all(
    (known?.blockers ?? []).map(async (one) => ({ ...one, open: await isOpen(context, one) })),
  );
}

async function isOpen({ github, store }: EngineContext, one: Blocker): Promise<boolean> {
  const name = parseFullName(one.repository);
  const repository = name && (await store.repositories.byName(name.owner, name.name));
  if (repository === undefined) return false;
  try {
    return (await github.issue(repository, one.number)).state === "open";
  } catch (error) {
    if (error instanceof GitHubError && (error.code === "not_found" || error.code === "forbidden"))
      return false;
    throw error;
  }
}
