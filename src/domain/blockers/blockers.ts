import type { AgentRecord } from "../agents/agent-record.ts";
import { fullName, type RepositoryRef } from "../kernel/repository.ts";

/** An issue of any repository. */
export interface IssueRef {
  /** Full name. */
  readonly repository: string;
  readonly number: number;
}

/** What an issue was blocked by in GitHub's own dependencies when they were read last. */
export interface BlockersRow {
  readonly repositoryId: number;
  readonly issue: number;
  /** Those that are closed too: one may be opened again. */
  readonly blockers: readonly (IssueRef & { readonly open: boolean })[];
  /** False where the server keeps no dependencies: a task list in the status comment stands for them. */
  readonly linked: boolean;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** Tells issues apart: names of repositories are the same in any case. */
export function issueKey({ repository, number }: IssueRef): string {
  return `${repository.toLowerCase()}#${number}`;
}

/** As people write it in `home`: `#7`, or `acme/lib#7` for another repository's. */
export function issueText(
  { repository, number }: IssueRef,
  home: Pick<RepositoryRef, "owner" | "name">,
): string {
  return repository.toLowerCase() === fullName(home).toLowerCase() ? `#${number}` : `${repository}#${number}`;
}

/** Returns the open ones, as people write them. */
export function openBlockers(row: BlockersRow, home: Pick<RepositoryRef, "owner" | "name">): string[] {
  return row.blockers.filter(({ open }) => open).map((blocker) => issueText(blocker, home));
}

/** Returns whether this issue is among them. */
export function isBlockedBy(row: BlockersRow, blocker: IssueRef): boolean {
  return row.blockers.some((one) => issueKey(one) === issueKey(blocker));
}

/** What an agent itself said that it waits for, as people write it in its repository. */
export function reportedText({
  blockedBy,
  blockedElsewhere,
}: Pick<AgentRecord, "blockedBy" | "blockedElsewhere">): readonly string[] {
  return [
    ...blockedBy.map((number) => `#${number}`),
    ...blockedElsewhere.map(({ repository, number }) => `${repository}#${number}`),
  ];
}

/** Returns whether the agent itself said that it waits for that issue. */
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
 * Returns the key of the wake that says that an issue blocks this period of an agent no more: one for each, whoever
 * finds out.
 */
export function blockerWakeKey(agent: Pick<AgentRecord, "id" | "token">, blocker: IssueRef): string {
  return `blocker:${agent.id}:${agent.token}:${issueKey(blocker)}`;
}

/**
 * What a sleeper still waits for although wakes say that something blocks it no more, as people write it: what it
 * reported itself and what GitHub has as open, without those that the wakes name. Empty: it may continue.
 */
export function stillBlocking(
  agent: Pick<AgentRecord, "id" | "token">,
  facts: {
    readonly home: Pick<RepositoryRef, "owner" | "name">;
    readonly reported: readonly IssueRef[];
    /** Undefined where GitHub was not read yet. */
    readonly known: BlockersRow | undefined;
    /** Keys of the wakes that wait for it. */
    readonly wakes: ReadonlySet<string>;
  },
): readonly string[] {
  const { home, known, reported, wakes } = facts;
  const open = (known?.blockers ?? []).filter((one) => one.open);
  const all = [...reported, ...open].filter((one) => !wakes.has(blockerWakeKey(agent, one)));
  return [...new Map(all.map((one) => [issueKey(one), issueText(one, home)])).values()];
}
