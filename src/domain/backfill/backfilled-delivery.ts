import { type Account, GHOST } from "../events/account.ts";
import { fullName } from "../kernel/repository.ts";
import type { NewDelivery, RepositoryRow } from "../kernel/rows.ts";
import { rawMilestone } from "../planning/milestone.ts";
import type { GitHubComment, GitHubIssue } from "../ports/github.ts";
import type { GitHubPullRequest } from "../ports/github-changes.ts";
import type { LostWindow } from "./missed-deliveries.ts";

/**
 * Something that GitHub's present state shows and no webhook has told: it goes into the inbox as the webhook that was
 * missed, so that it is read, allowed and decided as ever, and once: `name` is the delivery's id from then on.
 */
export interface BackfilledDelivery {
  readonly name: string;
  readonly event: string;
  readonly action: string;
  /** The issue or pull request in whose lane it stands. */
  readonly number: number;
  readonly sender: Account;
  /** What the event adds to repository, sender and installation. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Who stands for a person that GitHub does not name; may steer nothing. */
export const SOMEBODY: Account = GHOST;

/** Returns the id of the delivery that tells again what a webhook tells under an id of its own. */
export function backfilledId(what: string): string {
  return `seen-${what}`;
}

/** The missed webhook as it stands in the inbox. `at` in milliseconds since the epoch. */
export function retell(repository: RepositoryRow, retold: BackfilledDelivery, at: number): NewDelivery {
  const { name, event, action, number, sender, fields } = retold;
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

/** Returns an issue as webhooks show it, as far as they are read. */
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

/** Returns an issue that cannot be read any more: what is left of it is its number. */
export function rawGone(number: number): Readonly<Record<string, unknown>> {
  return { number, title: `#${number}`, body: null, state: "closed", user: null, html_url: "" };
}

/** Returns a pull request as webhooks show it, as far as they are read. */
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
    head: { ref: pull.headRef, repo: own ? { id: repository.id } : null },
  };
}

/** Comments of people from the time whose webhooks are lost, oldest first; a bot's own words ask nothing of us. */
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
