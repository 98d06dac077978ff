import type { AgentRecord } from "../agents/agent-record.ts";
import { fullName, type RepositoryRef } from "../kernel/repository.ts";

/** An issue of any repository. */
export interface IssueRef {
  /** Full name. */
  readonly repository: string;
  readonly number: number;
}

/** The blockers of an issue in GitHub's own dependencies, as last read. */
export interface BlockersRow {
  readonly repositoryId: number;
  readonly issue: number;
  /** Closed ones included: an issue may be reopened. */
  readonly blockers: readonly (IssueRef & { readonly open: boolean })[];
  /** False where the server keeps no dependencies and a task list in the status comment replaces them. */
  readonly linked: boolean;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** Returns a key that identifies an issue; names of repositories ignore case. */
export function issueKey({ repository, number }: IssueRef): string {
  return `${repository.toLowerCase()}#${number}`;
}

/** Returns an issue as people write it in `home`: `#7`, or `acme/lib#7` for another repository's. */
export function issueText(
  { repository, number }: IssueRef,
  home: Pick<RepositoryRef, "owner" | "name">,
): string {
  return repository.toLowerCase() === fullName(home).toLowerCase() ? `#${number}` : `${repository}#${number}`;
}

/** Returns the open blockers, as people write them. */
export function openBlockers(row: BlockersRow, home: Pick<RepositoryRef, "owner" | "name">): string[] {
  return row.blockers.filter(({ open }) => open).map((blocker) => issueText(blocker, home));
}

/** Returns whether this issue is among the blockers. */
export function isBlockedBy(row: BlockersRow, blocker: IssueRef): boolean {
  return row.blockers.some((one) => issueKey(one) === issueKey(blocker));
}

/** Returns the issues that an agent itself reported as its blockers, as people write them in its repository. */
export function reportedText({
  blockedBy,
  blockedElsewhere,
}: Pick<AgentRecord, "blockedBy" | "blockedElsewhere">): readonly string[] {
  return [
    ...blockedBy.map((number) => `#${number}`),
    ...blockedElsewhere.map(({ repository, number }) => `${repository}#${number}`),
  ];
}

/** Returns whether the agent itself reported that it waits for that issue. */
export function hasReported(
  agent: Pick<AgentRecord, "repositoryId" | "blockedBy" | "blockedElsewhere">,
  repositoryId: number,
  number: number,
): boolean {
  return repositoryId === agent.repositoryId
    ? agent.blockedBy.includes(number)
    : agent.blockedElsewhere.some((one) => one.repositoryId === repositoryId && one.number === number);
}

/**
 * Returns the key of the wake for a removed blocker: one for each blocker and period of the agent, whichever event
 * comes first.
 */
export function blockerWakeKey(agent: Pick<AgentRecord, "id" | "token">, blocker: IssueRef): string {
  return `blocker:${agent.id}:${agent.token}:${issueKey(blocker)}`;
}

/**
 * Returns what a sleeper still waits for, as people write it: the blockers that it reported and those that GitHub shows
 * as open, without those that the pending wakes name. Empty: the agent may continue.
 */
export function stillBlocking(
  agent: Pick<AgentRecord, "id" | "token">,
  facts: {
    readonly home: Pick<RepositoryRef, "owner" | "name">;
    readonly reported: readonly IssueRef[];
    /** Undefined where GitHub was not read yet. */
    readonly known: BlockersRow | undefined;
    /** Keys of the agent's pending wakes. */
    readonly wakes: ReadonlySet<string>;
  },
): readonly string[] {
  const { home, known, reported, wakes } = facts;
  const open = (known?.blockers ?? []).filter((one) => one.open);
  const all = [...reported, ...open].filter((one) => !wakes.has(blockerWakeKey(agent, one)));
  return [...new Map(all.map((one) => [issueKey(one), issueText(one, home)])).values()];
}
