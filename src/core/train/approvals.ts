import type { GitHubReview } from "../ports/github.ts";

/** How many people approve by their latest verdict on GitHub; `reviews` oldest first, our own bot's do not count. */
export function approvalsOf(
  reviews: readonly Pick<GitHubReview, "verdict" | "author">[],
  botId: number,
): number {
  const latest = new Map(
    reviews
      .filter(({ verdict, author }) => verdict !== "commented" && author.id !== botId)
      .map(({ verdict, author }) => [author.id, verdict]),
  );
  return [...latest.values()].filter((verdict) => verdict === "approved").length;
}
