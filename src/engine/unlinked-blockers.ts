import { type BlockersRow, type IssueRef, issueKey } from "../core/blockers.ts";
import { GitHubError } from "../core/errors.ts";
import { fullName, parseFullName } from "../core/repository.ts";
import type { RepositoryRow } from "../core/rows.ts";
import { readBlockedByLines } from "../core/text/blocked-by-lines.ts";
import { parseMarker } from "../core/text/marker.ts";
import type { EngineContext } from "./context.ts";

type Blocker = BlockersRow["blockers"][number];

/**
 * What an issue is blocked by on a server that keeps no dependencies: what is known already and the task list of the
 * status comment, each looked at again. One that a person ticked off there blocks no more, and one that is gone, or that
 * we may not see any more, is as good as closed. Throws `GitHubError`.
 */
export async function unlinkedBlockers(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<readonly Blocker[]> {
  const known = (await context.store.blockers.get(repository.id, issue))?.blockers ?? [];
  const lines = await linesOf(context, repository, issue);
  const own = issueKey({ repository: fullName(repository), number: issue });
  const wanted = new Map<string, IssueRef>([...known, ...lines].map((one) => [issueKey(one), one]));
  const ticked = new Set(lines.filter((line) => line.ticked).map(issueKey));
  const looked = await Promise.all(
    [...wanted]
      .filter(([key]) => key !== own)
      .map(async ([key, { repository: name, number }]) => {
        const open = await isOpen(context, { repository: name, number });
        // We tick what is closed ourselves; a ticked one that is open was taken off.
        return open && ticked.has(key) ? [] : [{ repository: name, number, open }];
      }),
  );
  return looked.flat();
}

/** Of our status comment, as it stands on GitHub. */
async function linesOf({ github, identity }: EngineContext, repository: RepositoryRow, issue: number) {
  const comments = await github.comments(repository, issue);
  const status = comments.find(
    ({ author, body }) => author.id === identity.botId && parseMarker(body)?.key === "status",
  );
  return status === undefined ? [] : readBlockedByLines(status.body);
}

async function isOpen({ github, store }: EngineContext, one: IssueRef): Promise<boolean> {
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
