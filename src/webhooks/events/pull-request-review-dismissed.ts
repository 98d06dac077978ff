import { z } from "zod";
import { accountShape, pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { type ParseContext, parser } from "./parsing.ts";

const shape = z.object({
  pull_request: pullRequestShape,
  review: z.object({ id: z.int(), user: accountShape.nullish(), commit_id: z.string().nullish() }),
});

/** Whoever dismisses needs no permission of ours: GitHub asks for it, and only an approval less comes of it. */
export const pullRequestReviewDismissed = parser(shape, async ({ pull_request: pull, review }, context) => {
  const ignored = notOurPull(pull, context);
  if (ignored !== undefined) return ignored;
  if (!review.user) return { ignored: "the reviewer's account is gone" };
  if (await hasSpokenSince(context, pull.number, { ...review, user: review.user }))
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
});

/** A dismissal that is told late, or of an older review, takes nothing of what its reviewer said after that. */
async function hasSpokenSince(
  { base, tools }: ParseContext,
  pull: number,
  { id, user }: { readonly id: number; readonly user: { readonly id: number } },
): Promise<boolean> {
  const reviews = await tools.github.reviews(base.repository, pull);
  const last = reviews.findLast(({ author, verdict }) => author.id === user.id && verdict !== "commented");
  return last !== undefined && last.id !== id && last.verdict !== "dismissed";
}
