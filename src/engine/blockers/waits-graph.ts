import { type AgentRecord, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { type IssueRef, issueKey, issueText } from "../../domain/blockers/blockers.ts";
import { findCycle } from "../../domain/blockers/cycle.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { RepositoryTable } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";

/** Sources of the edges "waits for": our sleepers, and GitHub's dependencies. */
export interface WaitSources {
  readonly github: Pick<GitHub, "blockedBy" | "parentOf">;
  readonly repositories: Pick<RepositoryTable, "byName">;
  /** The live agents of an issue. */
  readonly agentsOf: (
    repositoryId: number,
    issue: number,
  ) => Promise<readonly Pick<AgentRecord, "id" | "blockedBy" | "blockedElsewhere">[]>;
}

export function waitSources({ github, store }: Pick<EngineContext, "github" | "store">): WaitSources {
  const agentsOf = (repositoryId: number, issue: number) =>
    readable(store, "agent", { repositoryId, issue, state: LIVE_AGENT_STATES });
  return { github, repositories: store.repositories, agentsOf };
}

/** Codes for an issue that is not visible to us: what it waits for is unknown. */
const UNSEEN = ["not_found", "forbidden", "unsupported"];

/**
 * Returns the circle that the agent's issue would close by waiting for an issue of the repository `where`,
 * over sleepers and open GitHub dependencies of all visible repositories: issue references from its own back
 * to itself. Null when there is none. Throws `GitHubError`.
 */
export async function mergedCircle(
  sources: WaitSources,
  home: RepositoryRow,
  agent: Pick<AgentRecord, "id" | "issue">,
  blocker: number,
  where: RepositoryRow = home,
): Promise<readonly string[] | null> {
  const [own, start] = [
    { repository: fullName(home), number: agent.issue },
    { repository: fullName(where), number: blocker },
  ];
  const named = new Map([own, start].map((issue) => [issueKey(issue), issue]));
  const waitsFor = new Map<string, readonly string[]>();
  for (let edge: readonly IssueRef[] = [start]; edge.length > 0; ) {
    const found = await Promise.all(edge.map((issue) => waitsOf(sources, issue, agent.id)));
    for (const [index, issue] of edge.entries())
      waitsFor.set(issueKey(issue), (found[index] ?? []).map(issueKey));
    for (const issue of found.flat()) named.set(issueKey(issue), issue);
    const next = new Set(found.flat().map(issueKey));
    edge = [...next].flatMap((key) => (waitsFor.has(key) ? [] : (named.get(key) ?? [])));
  }
  const circle = findCycle(waitsFor, issueKey(own), issueKey(start));
  return circle?.map((key) => issueText(named.get(key) ?? own, home)) ?? null;
}

/** Returns whether the other issue is a sub-issue of the agent's, at any depth. Throws `GitHubError`. */
export async function isPartOf(
  sources: WaitSources,
  home: RepositoryRow,
  whole: number,
  part: number,
  where: RepositoryRow = home,
): Promise<boolean> {
  const top = issueKey({ repository: fullName(home), number: whole });
  const seen = new Set<string>();
  let issue: IssueRef | null = { repository: fullName(where), number: part };
  while (issue !== null && !seen.has(issueKey(issue))) {
    seen.add(issueKey(issue));
    issue = await parentOf(sources, issue);
    if (issue !== null && issueKey(issue) === top) return true;
  }
  return false;
}

async function waitsOf(sources: WaitSources, issue: IssueRef, agentId: number): Promise<readonly IssueRef[]> {
  const repository = await known(sources, issue);
  if (repository === undefined) return [];
  const live = await sources.agentsOf(repository.id, issue.number);
  const others = live.filter(({ id }) => id !== agentId);
  const theirs = await visible(sources.github.blockedBy(repository, issue.number), []);
  return [
    ...others
      .flatMap(({ blockedBy }) => blockedBy)
      .map((number) => ({ repository: fullName(repository), number })),
    ...others.flatMap(({ blockedElsewhere }) => blockedElsewhere),
    ...theirs.filter(({ state }) => state === "open"),
  ];
}

async function parentOf(sources: WaitSources, issue: IssueRef): Promise<IssueRef | null> {
  const repository = await known(sources, issue);
  return repository === undefined ? null : visible(sources.github.parentOf(repository, issue.number), null);
}

/**
 * Returns the repository through which GitHub can be asked; undefined where the App is not installed as far
 * as we know.
 */
async function known({ repositories }: WaitSources, issue: IssueRef): Promise<RepositoryRow | undefined> {
  const name = parseFullName(issue.repository);
  return name && (await repositories.byName(name.owner, name.name));
}

async function visible<T, E>(answer: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitHubError && UNSEEN.includes(error.code)) return otherwise;
    throw error;
  }
}
