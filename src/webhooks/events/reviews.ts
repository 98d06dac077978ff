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

/** Readers of reviews of our pull requests; `comments.ts` reads comments on lines. */
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
      // The coder may have read it before it asked for the review; a rejection now wakes it once more.
      source: `${context.base.delivery === backfilledId(rejection) ? "rejection" : "review"}:${review.id}`,
      verdict,
      reviewedCommit: review.commit_id ?? null,
      body: review.body,
      url: review.url,
    };
  }),

  /** The sender needs no permission of ours: GitHub checks it, and a dismissal only removes an approval. */
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

/**
 * Reads the review's current state, because a late or repeated delivery shows the approval as it was given.
 */
async function isDismissed({ base, tools }: ParseContext, pull: number, review: number): Promise<boolean> {
  const reviews = await tools.github.reviews(base.repository, pull);
  return reviews.some(({ id, verdict }) => id === review && verdict === "dismissed");
}

/** Reads whether the pull request has ended, because a late webhook still shows a merged one as open. */
async function endNow(
  { base, tools }: ParseContext,
  pull: number,
): Promise<DomainEventOf<"reviewed">["ended"]> {
  const { merged, state } = await tools.github.pullRequest(base.repository, pull);
  return endOf({ merged, closed: state === "closed" });
}

/**
 * Returns whether the reviewer has reviewed again: a late dismissal of an older review does not affect that
 * one.
 */
async function hasReviewedSince(
  { base, tools }: ParseContext,
  pull: number,
  { id, user }: { readonly id: number; readonly user: { readonly id: number } },
): Promise<boolean> {
  const reviews = await tools.github.reviews(base.repository, pull);
  const last = reviews.findLast(({ author, verdict }) => author.id === user.id && verdict !== "commented");
  return last !== undefined && last.id !== id && last.verdict !== "dismissed";
}
