import { dismissedAmong } from "../merge-queue/pull-approvals.ts";
import type { GitHubReview } from "../ports/github.ts";
import { type BackfilledDelivery, rawPull, SOMEBODY } from "./backfilled-delivery.ts";
import type { Known } from "./missed-by-issue.ts";
import type { SeenPull } from "./missed-by-pull.ts";

/**
 * Returns the webhooks of approvals that count for the work although GitHub shows them as dismissed; GitHub does not
 * say by whom.
 */
export function missedDismissals(
  { repository, pull }: SeenPull,
  reviews: readonly GitHubReview[],
  { task }: Pick<Known, "task">,
): readonly BackfilledDelivery[] {
  return dismissedAmong(reviews, task?.verdicts ?? []).map(({ id, author, commit }) => ({
    name: `dismissal-${id}`,
    event: "pull_request_review",
    action: "dismissed",
    number: pull.number,
    sender: SOMEBODY,
    fields: {
      pull_request: rawPull(pull, repository, null),
      review: { id, user: author, commit_id: commit },
    },
  }));
}
