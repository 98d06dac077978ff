import { z } from "zod";
import { backfilledId } from "../../domain/backfill/backfilled-delivery.ts";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { accountShape, commentShape, pullRequestShape } from "../payload.ts";
import {
  ignoredSender,
  type ParseContext,
  parser,
  type WebhookParsers,
  wasBackfilled,
  withPermission,
} from "./parsing.ts";
import { endOf, notOurPull } from "./pull-requests.ts";

const submitted = z.object({
  pull_request: pullRequestShape,
  review: z.intersection(z.object({ state: z.string(), commit_id: z.string().nullish() }), commentShape),
});

const dismissed = z.object({
  pull_request: pullRequestShape,
  review: z.object({ id: z.int(), user: accountShape.nullish(), commit_id: z.string().nullish() }),
});

/** What reviewers say of our pull requests; `comments.ts` reads what they write at a line. */
export const REVIEW_EVENTS = {
  "pull_request_review.submitted": parser(submitted, async ({ pull_request: pull, review }, context) => {
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
      ...(await withPermission(context)),
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
  }),

  /** Whoever dismisses needs no permission of ours: GitHub asks for it, and only an approval less comes of it. */
  "pull_request_review.dismissed": parser(dismissed, async ({ pull_request: pull, review }, context) => {
    const ignored = notOurPull(pull, context);
    if (ignored !== undefined) return ignored;
    if (!review.user) return { ignored: "the reviewer's account is gone" };
    if (await hasReviewedSince(context, pull.number, { ...review, user: review.user }))
      return { ignored: "a later review of the same account counts" };
    return {
      ...context.base,
      permitted: false,
      type: "review_dismissed",
      pull: pull.number,
      headRef: pull.headRef,
      reviewer: review.user,
      reviewedCommit: review.commit_id ?? null,
    };
  }),
} satisfies WebhookParsers;

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

/** A dismissal that is told late, or of an older review, takes nothing of what its reviewer said after that. */
async function hasReviewedSince(
  { base, tools }: ParseContext,
  pull: number,
  { id, user }: { readonly id: number; readonly user: { readonly id: number } },
): Promise<boolean> {
  const reviews = await tools.github.reviews(base.repository, pull);
  const last = reviews.findLast(({ author, verdict }) => author.id === user.id && verdict !== "commented");
  return last !== undefined && last.id !== id && last.verdict !== "dismissed";
}
