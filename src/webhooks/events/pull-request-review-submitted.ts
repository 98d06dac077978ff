import { z } from "zod";
import { backfilledId } from "../../domain/backfill/backfilled-delivery.ts";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { commentShape, pullRequestShape } from "../payload.ts";
import { endOf, notOurPull } from "./our-pull.ts";
import { ignoredSender, type ParseContext, parser, wasBackfilled } from "./parsing.ts";

const shape = z.object({
  pull_request: pullRequestShape,
  review: z.intersection(z.object({ state: z.string(), commit_id: z.string().nullish() }), commentShape),
});

export const pullRequestReviewSubmitted = parser(shape, async ({ pull_request: pull, review }, context) => {
  const ignored = notOurPull(pull, context) ?? ignoredSender(context);
  if (ignored !== undefined) return ignored;
  const verdict = review.state.toLowerCase();
  if (verdict !== "approved" && verdict !== "changes_requested" && verdict !== "commented") {
    return { ignored: `a review that is ${verdict} says nothing` };
  }
  const rejection = `rejection-${review.id}`;
  if (await wasBackfilled(context, `review-${review.id}`, `approval-${review.id}`, rejection))
    return { ignored: "its pull request's list of reviews told of it before" };
  if (verdict === "approved" && (await isDismissed(context, pull.number, review.id)))
    return { ignored: "it is dismissed by now" };
  return {
    ...context.base,
    permitted: await context.mayAsk(context.base.repository, context.base.actor),
    type: "reviewed",
    pull: pull.number,
    headRef: pull.headRef,
    ended: verdict === "changes_requested" ? await endNow(context, pull.number) : endOf(pull),
    // Its coder may have heard it before it asked for the review; what is rejected now wakes it once more.
    source: `${context.base.delivery === backfilledId(rejection) ? "rejection" : "review"}:${review.id}`,
    verdict,
    reviewedCommit: review.commit_id ?? null,
    body: review.body,
    url: review.url,
  };
});

/** A delivery that comes late, or again, tells an approval as it was when it was given. */
async function isDismissed({ base, tools }: ParseContext, pull: number, review: number): Promise<boolean> {
  const reviews = await tools.github.reviews(base.repository, pull);
  return reviews.some(({ id, verdict }) => id === review && verdict === "dismissed");
}

/** A webhook that comes late shows the pull request as open that was merged meanwhile. */
async function endNow(
  { base, tools }: ParseContext,
  pull: number,
): Promise<DomainEventOf<"reviewed">["ended"]> {
  const { merged, state } = await tools.github.pullRequest(base.repository, pull);
  return endOf({ merged, closed: state === "closed" });
}
