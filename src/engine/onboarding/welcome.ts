import { offerStart } from "../../domain/agents/offer-start.ts";
import { roleForLabel } from "../../domain/agents/role.ts";
import { repositoryScope } from "../../domain/breakers/scope.ts";
import type { BriefRepository, RepositoryEventOf } from "../../domain/events/repository-event.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import { allowsRepository } from "../../domain/settings/settings.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Newest issues of a repository that get a comment on how to start them; the rest are logged. */
const TOLD = 20;

/**
 * Registers a repository where the App was installed: ends the suspension of an earlier installation, and
 * offers to start the open issues that carry a role's label. Starts nothing itself. Throws `GitHubError`.
 */
export async function welcome(
  context: EngineContext,
  event: RepositoryEventOf<"coverage_changed">,
  added: BriefRepository,
): Promise<void> {
  const { store, github, settings, log } = context;
  const name = fullName(added);
  if (!allowsRepository(settings, name)) {
    log.info({ repository: name }, "the App came to a repository that the configuration does not list");
    return;
  }
  const known = await visible(context, github.repository({ ...added, installationId: event.installationId }));
  if (known === null) return;
  const { private: isPrivate, defaultBranch } = known;
  const repository: RepositoryRow = {
    ...added,
    installationId: event.installationId,
    private: isPrivate,
    defaultBranch,
  };
  await store.repositories.put(repository);
  await store.scopePauses.lift(repositoryScope(added.id), "suspended");
  if (known.archived) return;
  const labelled = await labelledIssues(context, repository);
  for (const one of labelled.slice(0, TOLD)) await offer(context, event, { repository, ...one });
  const rest = labelled.slice(TOLD).map(({ issue }) => issue.number);
  if (rest.length > 0)
    log.info({ repository: name, issues: rest }, "these labelled issues can be started too; none was told");
}

/** Returns null for an answer that GitHub denies us; asking again would not help. Throws `GitHubError`. */
export async function visible<T>({ log }: EngineContext, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitHubError) || error.consequence === "retry" || error.consequence === "park")
      throw error;
    log.warn({ error: error.message }, "repository not read: nothing is offered there");
    return null;
  }
}

interface Labelled {
  readonly issue: GitHubIssue;
  readonly label: string;
}

/** Returns the open issues with a label that starts a role, each once, newest first. */
export async function labelledIssues(
  { github, settingsOf }: EngineContext,
  repository: RepositoryRow,
): Promise<readonly Labelled[]> {
  const labels = [...settingsOf(repository.id).roles.values()].flatMap(({ triggers }) =>
    triggers.flatMap(({ label }) => label ?? []),
  );
  const found = new Map<number, Labelled>();
  for (const label of new Set(labels))
    for (const issue of await github.issuesWith(repository, label)) found.set(issue.number, { issue, label });
  return [...found.values()].toSorted((left, right) => right.issue.number - left.issue.number);
}

async function offer(
  context: EngineContext,
  { at, actor, delivery }: RepositoryEventOf<"coverage_changed">,
  { repository, issue, label }: Labelled & { readonly repository: RepositoryRow },
): Promise<void> {
  const role = roleForLabel(context.settingsOf(repository.id).roles, label);
  if (role === undefined) return;
  const view = await readIssueState(context, repository, issue.number);
  const changes = offerStart(role, view, {
    issue,
    at,
    actor: actor.login,
    why: `the issue carried \`${label}\` before Flotilla came here`,
  });
  // A repeated delivery finds the effect by this name and adds none.
  const name = `${delivery}:offer`;
  await advance(context, {
    at,
    repositoryId: repository.id,
    issue: issue.number,
    delivery: null,
    name,
    changes,
  });
}
