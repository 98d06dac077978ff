import { withMarker } from "../../src/domain/messages/marker.ts";
import type { CommitCheck, GitHubReview, GitHubReviewComment } from "../../src/domain/ports/github.ts";
import type { Lagging } from "../../src/domain/ports/github-app.ts";
import type { WrittenCheck, WrittenReview } from "../../src/domain/ports/github-changes.ts";
import type { FakeLag } from "./github-lag.ts";
import { byMarker, MAC, notFound, refused } from "./github-markers.ts";
import { addReview, BOT, type FakeRepository } from "./github-world.ts";

const VERDICTS = { APPROVE: "approved", REQUEST_CHANGES: "changes_requested", COMMENT: "commented" } as const;

/** Writes a review, or finds it; then `wrote` is undefined. Authors cannot review their own pull requests. */
export function writeReview(
  repository: FakeRepository,
  number: number,
  asked: WrittenReview & Lagging,
  lag: FakeLag,
): { readonly review: GitHubReview; readonly isNew: boolean } {
  const { key, event, commit, body, comments: wanted, bodyWithComments } = asked;
  const pull = repository.pulls.get(number) ?? notFound(`pull request ${number}`);
  const all = repository.reviews.get(number) ?? [];
  const known = lag.seen(byMarker(all.filter(lag.shows), key), asked);
  if (known) return { review: known, isNew: false };
  if (event !== "COMMENT" && pull.author.id === BOT.id)
    throw refused("invalid", "Review Can not approve your own pull request", "stop");
  // No test has a diff of this length.
  const comments = wanted.some(({ line }) => line > 1000) ? [] : wanted;
  const said = comments === wanted ? body : bodyWithComments;
  const text = withMarker(said, { key, mac: MAC });
  const review = addReview(repository, number, { by: BOT, verdict: VERDICTS[event], commit, body: text });
  lag.wrote(review);
  const added = comments.map(
    (comment, index): GitHubReviewComment => ({
      ...comment,
      id: review.id * 100 + index,
      author: BOT,
      createdAt: review.submittedAt,
      url: `${review.url}-${index}`,
    }),
  );
  repository.reviewComments.set(number, [...(repository.reviewComments.get(number) ?? []), ...added]);
  return { review, isNew: true };
}

/** Returns the check after the change; null if there is none and none is created. */
export function putCheck(
  repository: FakeRepository,
  asked: WrittenCheck & Lagging,
  lag: FakeLag,
): { readonly id: number } | null {
  const { name, commit, conclusion, title, create } = asked;
  const all = repository.checks.get(commit) ?? [];
  const index = all.findIndex((check) => check.name === name);
  if (index < 0 && !create) return null;
  lag.seen(all[index], asked);
  const state = conclusion === null ? "pending" : conclusion === "failure" ? "red" : "green";
  const check: CommitCheck = {
    name,
    state,
    conclusion: conclusion ?? "in_progress",
    ...(state === "red" ? { output: title } : {}),
  };
  repository.checks.set(commit, [...all.filter((one) => one.name !== name), check]);
  return { id: index < 0 ? all.length + 1 : index + 1 };
}
