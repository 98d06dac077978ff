import type { Account, GitHubReview } from "../ports/github.ts";

type Seen = Pick<GitHubReview, "verdict" | "author">;

/** The latest verdict of each account, comments apart. */
const latestOf = <Review extends Seen>(reviews: readonly Review[]): readonly Review[] => [
  ...new Map(
    reviews.filter(({ verdict }) => verdict !== "commented").map((review) => [review.author.id, review]),
  ).values(),
];

/** How many people approve by their latest verdict on GitHub; `reviews` oldest first, our own bot's do not count. */
export function approvalsOf(reviews: readonly Seen[], botId: number): number {
  return latestOf(reviews).filter(({ verdict, author }) => verdict === "approved" && author.id !== botId)
    .length;
}

/** People whose latest verdict on GitHub requests changes of that commit; `reviews` oldest first. */
export function requestersOf(
  reviews: readonly (Seen & Pick<GitHubReview, "commit">)[],
  head: string,
): readonly Account[] {
  return latestOf(reviews)
    .filter(
      ({ verdict, commit, author }) =>
        verdict === "changes_requested" && commit === head && author.type !== "Bot",
    )
    .map(({ author }) => author);
}
