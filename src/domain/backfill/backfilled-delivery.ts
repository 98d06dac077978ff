import { type Account, GHOST } from "../events/account.ts";
import { fullName } from "../kernel/repository.ts";
import type { NewDelivery, RepositoryRow } from "../kernel/rows.ts";
import { rawMilestone } from "../planning/milestone.ts";
import type { GitHubComment, GitHubIssue } from "../ports/github.ts";
import type { GitHubPullRequest } from "../ports/github-changes.ts";
import type { LostWindow } from "./missed-deliveries.ts";

/**
 * An event that GitHub's present state shows and no webhook reported. It enters the inbox as the missed webhook, so the
 * usual checks and handlers apply. `name` becomes the delivery's id, so it is stored once.
 */
export interface BackfilledDelivery {
  readonly name: string;
  readonly event: string;
  readonly action: string;
  /** The issue or pull request in whose lane the delivery is queued. */
  readonly number: number;
  readonly sender: Account;
  /** Fields of the payload besides repository, sender and installation. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The sender where GitHub does not name the person; has no permission. */
export const SOMEBODY: Account = GHOST;

/** Returns the id of the delivery that repeats an event whose webhook has an id of its own. */
export function backfilledId(what: string): string {
  return `seen-${what}`;
}

/** Returns the missed webhook as a row of the inbox. `at` in milliseconds since the epoch. */
export function newBackfilledDelivery(
  repository: RepositoryRow,
  backfilled: BackfilledDelivery,
  at: number,
): NewDelivery {
  const { name, event, action, number, sender, fields } = backfilled;
  const payload = {
    action,
    repository: {
      id: repository.id,
      name: repository.name,
      full_name: fullName(repository),
      owner: { login: repository.owner },
      private: repository.private,
      default_branch: repository.defaultBranch,
    },
    sender,
    installation: { id: repository.installationId },
    ...fields,
  };
  return {
    guid: backfilledId(name),
    event,
    action,
    installationId: repository.installationId,
    repositoryId: repository.id,
    lane: `${repository.id}#${number}`,
    payload: JSON.stringify(payload),
    receivedAt: at,
  };
}

/** Returns an issue in the form of a webhook, with the fields that Flotilla reads. */
export function rawIssue(issue: GitHubIssue): Readonly<Record<string, unknown>> {
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.stateReason,
    labels: issue.labels.map((name) => ({ name })),
    assignees: issue.assignees,
    user: issue.author,
    html_url: issue.url,
    locked: issue.locked,
    milestone: rawMilestone(issue.milestone),
  };
}

/** Returns an issue that can no longer be read: only its number is known. */
export function rawGone(number: number): Readonly<Record<string, unknown>> {
  return { number, title: `#${number}`, body: null, state: "closed", user: null, html_url: "" };
}

/** Returns a pull request in the form of a webhook, with the fields that Flotilla reads. */
export function rawPull(
  pull: GitHubPullRequest,
  repository: RepositoryRow,
  mergeCommit: string | null,
): Readonly<Record<string, unknown>> {
  const own = pull.headRepository?.toLowerCase() === fullName(repository).toLowerCase();
  return {
    number: pull.number,
    state: pull.state,
    merged: pull.merged,
    merge_commit_sha: mergeCommit,
    head: {
      ref: pull.headRef,
      sha: pull.headSha,
      repo: own ? { id: repository.id, full_name: fullName(repository) } : null,
    },
    base: { ref: pull.baseRef },
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    user: pull.author,
    html_url: pull.url,
  };
}

/** Returns people's comments from the time whose webhooks are lost, oldest first. Comments of bots are left out. */
export function lostComments(
  issue: GitHubIssue,
  comments: readonly GitHubComment[],
  { since, until }: LostWindow,
): readonly BackfilledDelivery[] {
  return comments
    .filter(({ author }) => author.type === "User")
    .filter(({ createdAt }) => Date.parse(createdAt) >= since && Date.parse(createdAt) <= until)
    .map(({ id, body, url, author }) => ({
      name: `comment-${id}`,
      event: "issue_comment",
      action: "created",
      number: issue.number,
      sender: author,
      fields: { issue: rawIssue(issue), comment: { id, body, html_url: url } },
    }));
}
