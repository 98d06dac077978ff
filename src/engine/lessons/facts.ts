import { reaches } from "../../domain/access/permission.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Ending } from "../../domain/agents/role.ts";
import { type Account, knownPermission } from "../../domain/events/account.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { endingOf } from "../../domain/lessons/lesson-due.ts";
import { factsOf, type Happened, type LessonFact } from "../../domain/lessons/lesson-fact.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Commits whose checks are read. */
const MOST_COMMITS = 3;

/** The ended work of an issue, and what a lesson from it can cite. */
export interface EndedWork {
  readonly ending: Ending;
  readonly pull: number | null;
  readonly facts: readonly LessonFact[];
}

/** Reads what happened in the issue's newest work; null where that has not ended. Throws `GitHubError`. */
export async function readEndedWork(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<EndedWork | null> {
  const { store, site } = context;
  const place = { repositoryId: repository.id, issue };
  const agents = await store.records.find("agent", place);
  const newestTask = (await store.records.find("task", place)).at(-1) ?? null;
  const ending = endingOf({ newestTask, agents });
  if (newestTask === null || ending === null) return null;
  const coders = agents.filter(({ coder }) => coder);
  const pull = coders.findLast(({ prNumber }) => prNumber !== null)?.prNumber ?? null;
  const verdicts = await store.verdicts.ofTask(newestTask.id);
  const evidence = await evidenceOf(context, coders);
  const commits = [...evidence, ...verdicts].map(({ commit }) => commit);
  const happened: Happened = {
    repository: `${site}/${fullName(repository)}`,
    issue,
    pull,
    mergeCommit: newestTask.mergeCommit,
    verdicts,
    evidence,
    checks: await checksOf(context, repository, [...commits, newestTask.reviewCommit]),
    ...(await saidAbout(context, repository, issue, pull)),
  };
  return { ending, pull, facts: factsOf(happened) };
}

async function evidenceOf({ store }: EngineContext, coders: readonly AgentRecord[]) {
  return (await Promise.all(coders.map(({ id }) => store.evidence.ofAgent(id)))).flat();
}

async function checksOf(
  { github }: EngineContext,
  repository: RepositoryRow,
  commits: readonly (string | null)[],
): Promise<Happened["checks"]> {
  const latest = [...new Set(commits.toReversed())]
    .filter((commit) => commit !== null)
    .slice(0, MOST_COMMITS);
  const found = await Promise.all(
    latest.map(async (commit) =>
      (await github.checks(repository, commit)).map((check) => ({ commit, check })),
    ),
  );
  return found.flat();
}

/** Only what people with permission wrote can be cited, although `policy.read_untrusted` lets models read others. */
async function saidAbout(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
  pull: number | null,
): Promise<Pick<Happened, "comments" | "remarks">> {
  const { github } = context;
  const comments = [
    ...(await github.comments(repository, issue)),
    ...(pull === null ? [] : await github.comments(repository, pull)),
  ];
  const remarks = pull === null ? [] : await github.reviewComments(repository, pull);
  const may = await permitted(context, repository, [...comments, ...remarks]);
  return {
    comments: comments.filter(({ author }) => may.has(author.id)),
    remarks: remarks.filter(({ author }) => may.has(author.id)),
  };
}

/** Returns the ids of those who may steer Flotilla; bots, our own too, are not among them. */
async function permitted(
  { github, settings }: EngineContext,
  repository: RepositoryRow,
  said: readonly { readonly author: Account }[],
): Promise<ReadonlySet<number>> {
  const people = new Map(
    said
      .filter(({ author }) => knownPermission(author, []) === "ask")
      .map(({ author }) => [author.id, author]),
  );
  const may = new Set<number>();
  for (const [id, author] of people)
    if (reaches(await github.permission(repository, author), settings.policy.whoMayCommand)) may.add(id);
  return may;
}
