import type { Account } from "../events/account.ts";
import type { GitHubReview } from "../ports/github.ts";
import { isSameReviewer, personAs, type Reviewer, UNKNOWN_ACCOUNT } from "../review/reviewer.ts";
import { isOfWork, type TaskRecord } from "../tasks/task-record.ts";

type Seen = Pick<GitHubReview, "verdict" | "author">;

/** Returns the latest verdict of each account, without comments. */
const latestOf = <Review extends Seen>(reviews: readonly Review[]): readonly Review[] => [
  ...new Map(
    reviews.filter(({ verdict }) => verdict !== "commented").map((review) => [review.author.id, review]),
  ).values(),
];

/** What GitHub's list of reviews says against the merge of a commit. */
export interface ReviewsAgainst {
  /** Logins of people with write permission whose request for changes of the work counts. */
  readonly requesters: readonly string[];
  /** Logins of people whose approval counted and is dismissed. */
  readonly takenBack: readonly string[];
  /** Logins of people whose approval counted and who no longer have write permission. */
  readonly withoutAccess: readonly string[];
  /** Logins of other Apps whose request for changes of the work counts. */
  readonly apps: readonly string[];
}

/**
 * Returns the dismissed reviews whose approvals still count in our records, the latest of each account; `reviews`
 * oldest first.
 */
export function dismissedAmong<Review extends Seen>(
  reviews: readonly Review[],
  verdicts: TaskRecord["verdicts"],
): readonly Review[] {
  return latestOf(reviews).filter(
    ({ verdict, author }) =>
      verdict === "dismissed" && verdicts.some((one) => isSameReviewer(one, personAs(author))),
  );
}

/** The work under review, as a review names it by a commit. */
type Work = Pick<TaskRecord, "reviewCommit" | "carriedFrom">;

/** Returns the accounts whose latest verdict requests changes of the work, people or Apps; `reviews` oldest first. */
const requesting = (reviews: readonly (Seen & Pick<GitHubReview, "commit">)[], work: Work) =>
  latestOf(reviews)
    .filter(({ verdict, commit }) => verdict === "changes_requested" && isOfWork(work, commit))
    .map(({ author }) => author);

/**
 * Returns the other Apps whose latest verdict requests changes of the work. An App can review only where an admin
 * gave it write access to pull requests, so its verdict counts like that of a person with write permission.
 */
export function appsAgainst(
  reviews: readonly (Seen & Pick<GitHubReview, "commit">)[],
  work: Work,
  botId: number,
): readonly string[] {
  return requesting(reviews, work)
    .filter(({ type, id }) => type === "Bot" && id !== botId)
    .map(({ login }) => login);
}

const all = (logins: readonly string[]) => logins.map((login) => `@${login}`).join(" and ");

/**
 * Returns why the reviews forbid a merge; null when they do not. `isUnreported` = no webhook has reported it: the issue is
 * read, and the result moves the work.
 */
export function againstMerge(
  pull: number,
  { requesters, takenBack, withoutAccess, apps }: ReviewsAgainst,
): { readonly why: string; readonly change: string; readonly isUnreported: boolean } | null {
  if (requesters.length > 0)
    return {
      why: `${all(requesters)} requested changes of #${pull} on GitHub`,
      change: `let ${all(requesters)} approve it or dismiss the request for changes on GitHub`,
      isUnreported: true,
    };
  if (takenBack.length > 0)
    return {
      why: `the approval of #${pull} by ${all(takenBack)} was dismissed on GitHub`,
      change: "review the newest commit and approve it",
      isUnreported: true,
    };
  if (withoutAccess.length > 0)
    return {
      why: `${all(withoutAccess)} approved #${pull} and no longer has the permission for that`,
      change: `dismiss the approval by ${all(withoutAccess)} on GitHub and approve it yourself, or merge it by hand`,
      isUnreported: false,
    };
  if (apps.length > 0)
    return {
      why: `${apps.join(" and ")} requested changes of #${pull} on GitHub`,
      change: `dismiss the request for changes by ${apps.join(" and ")} on GitHub, or request changes yourself: the coder works on yours`,
      isUnreported: false,
    };
  return null;
}

/**
 * Returns the logins of those who approve by their latest verdict on GitHub; `reviews` oldest first, our own bot's do not
 * count.
 */
export function approvingOf(reviews: readonly Seen[], botId: number): readonly string[] {
  return latestOf(reviews)
    .filter(({ verdict, author }) => verdict === "approved" && author.id !== botId)
    .map(({ author }) => author.login);
}

/** Returns how many approve by their latest verdict on GitHub; as in `approvingOf`. */
export const approvalsOf = (reviews: readonly Seen[], botId: number): number =>
  approvingOf(reviews, botId).length;

/** Returns the people whose approvals count for the work, with the login that GitHub shows now. */
export function approversAmong(
  reviews: readonly Pick<GitHubReview, "author">[],
  verdicts: readonly Reviewer[],
): readonly { readonly login: string; readonly id: number | null }[] {
  return verdicts.flatMap((verdict) => {
    const { account, reviewer } = verdict;
    if (account === null) return [];
    const seen = reviews.findLast(({ author }) => isSameReviewer(verdict, personAs(author)));
    return [{ login: seen?.author.login ?? reviewer, id: account === UNKNOWN_ACCOUNT ? null : account }];
  });
}

/** Returns the people whose latest verdict on GitHub requests changes of the work; `reviews` oldest first. */
export function requestersOf(
  reviews: readonly (Seen & Pick<GitHubReview, "commit">)[],
  work: Work,
): readonly Account[] {
  return requesting(reviews, work).filter(({ type }) => type !== "Bot");
}
