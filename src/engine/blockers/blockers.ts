import { isOnPull } from "../../domain/agents/agent-record.ts";
import { readBlockedByLines } from "../../domain/blockers/blocked-by-lines.ts";
import {
  type BlockersRow,
  type IssueRef,
  isBlockedBy,
  issueKey,
  openBlockers,
} from "../../domain/blockers/blockers.ts";
import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import { GitHubError, messageOf } from "../../domain/kernel/errors.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { parseMarker } from "../../domain/messages/marker.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";

/**
 * Reads from GitHub what blocks the issue; on a server without dependencies, from our records and the status
 * comment. Throws `GitHubError`.
 */
export async function readBlockers(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<BlockersRow> {
  const base = { repositoryId: repository.id, issue, readAt: context.clock.now() };
  try {
    const read = await context.github.blockedBy(repository, issue);
    const blockers = read.map(({ state, ...blocker }) => ({ ...blocker, open: state === "open" }));
    return { ...base, blockers, linked: true };
  } catch (error) {
    if (!(error instanceof GitHubError) || error.code !== "unsupported") throw error;
    return { ...base, blockers: await unlinkedBlockers(context, repository, issue), linked: false };
  }
}

/** Adds the blocker that the agent reported, which GitHub may not show yet. */
export function withReported(read: BlockersRow, reported: IssueRef): BlockersRow {
  if (isBlockedBy(read, reported)) return read;
  return { ...read, blockers: [...read.blockers, { ...reported, open: true }] };
}

/**
 * Reads a new agent's blockers from GitHub, so that the agent can start in the transaction that creates it.
 * Where GitHub does not answer, the agent is created all the same and waits until an effect has read them.
 */
export async function withBlockers<R extends Pick<ChangeSet, "moves" | "effects">>(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
  changes: R,
): Promise<R> {
  if (!changes.moves.some(({ event }) => "newAgent" in event && !isOnPull(event.newAgent))) return changes;
  try {
    await context.store.blockers.put(await readBlockers(context, repository, issue));
    return changes;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    context.log.warn({ issue, error: messageOf(error) }, "issue's blockers not read");
    const refresh = { kind: "look_at_blockers", repositoryId: repository.id, issue } as const;
    return { ...changes, effects: [...changes.effects, refresh] };
  }
}

/** Returns what blocks the agent's issue, as text; null where the blockers were never read. */
export async function blockersOf(
  _: EngineContext,
  tables: Pick<Tables, "blockers" | "repositories">,
  { agent }: Guarded,
): Promise<readonly string[] | null> {
  // GitHub blocks issues, not pull requests.
  if (isOnPull(agent)) return [];
  const { repositoryId, issue } = agent;
  const row = await tables.blockers.get(repositoryId, issue);
  const home = row && (await tables.repositories.get(repositoryId));
  return row === undefined || home === undefined ? null : openBlockers(row, home);
}

type Blocker = BlockersRow["blockers"][number];

/**
 * Reads the blockers on a server without dependencies: those on record and in the task list of the status
 * comment. A blocker that a person ticked off no longer blocks; one that is gone or inaccessible counts as
 * closed. Throws `GitHubError`.
 */
async function unlinkedBlockers(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<readonly Blocker[]> {
  const known = (await context.store.blockers.get(repository.id, issue))?.blockers ?? [];
  const lines = await linesOf(context, repository, issue);
  const own = issueKey({ repository: fullName(repository), number: issue });
  const wanted = new Map<string, IssueRef>([...known, ...lines].map((one) => [issueKey(one), one]));
  const ticked = new Set(lines.filter((line) => line.ticked).map(issueKey));
  const read = await Promise.all(
    [...wanted]
      .filter(([key]) => key !== own)
      .map(async ([key, { repository: name, number }]) => {
        const open = await isOpen(context, { repository: name, number });
        // Flotilla ticks closed blockers itself, so a ticked blocker that is still open was ticked off by a
        // person.
        return open && ticked.has(key) ? [] : [{ repository: name, number, open }];
      }),
  );
  return read.flat();
}

/** Returns the task list lines of our status comment, read from GitHub. */
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
