import { type BlockersRow, type IssueRef, isBlockedBy, openBlockers } from "../core/blockers.ts";
import { GitHubError, messageOf } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import type { Reaction } from "../core/reaction.ts";
import type { RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { unlinkedBlockers } from "./unlinked-blockers.ts";

/**
 * What GitHub says now that the issue is blocked by; where it keeps no dependencies what is known already and what the
 * status comment says. Throws `GitHubError`.
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

/** Among them what the agent reported, though GitHub may not have it yet. */
export function withReported(read: BlockersRow, reported: IssueRef): BlockersRow {
  if (isBlockedBy(read, reported)) return read;
  return { ...read, blockers: [...read.blockers, { ...reported, open: true }] };
}

/**
 * The reaction, once GitHub has said what a new agent's issue is blocked by: it tries to start in the transaction that
 * makes it. Where GitHub does not answer the agent is made all the same, and waits until the outbox has the answer.
 */
export async function withBlockers<R extends Pick<Reaction, "moves" | "effects">>(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
  reaction: R,
): Promise<R> {
  if (!reaction.moves.some(({ event }) => "entry" in event)) return reaction;
  try {
    await context.store.blockers.put(await readBlockers(context, repository, issue));
    return reaction;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    context.log.warn({ issue, error: messageOf(error) }, "the blockers of an issue could not be read");
    const look = { kind: "look_at_blockers", repositoryId: repository.id, issue } as const;
    return { ...reaction, effects: [...reaction.effects, look] };
  }
}

/** What blocks the agent's issue, in words; null where that was never read. */
export async function blockersOf(
  tables: Pick<Tables, "blockers" | "repositories">,
  { repositoryId, issue }: Pick<AgentRecord, "repositoryId" | "issue">,
): Promise<readonly string[] | null> {
  const row = await tables.blockers.get(repositoryId, issue);
  const home = await tables.repositories.get(repositoryId);
  return row === undefined || home === undefined ? null : openBlockers(row, home);
}
