import { z } from "zod";
import { accountShape, pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { reader } from "./reading.ts";

const shape = z.object({
  pull_request: pullRequestShape,
  review: z.object({ user: accountShape.nullish(), commit_id: z.string().nullish() }),
});

/** Whoever dismisses needs no permission of ours: GitHub asks for it, and only an approval less comes of it. */
export const pullRequestReviewDismissed = reader(shape, async ({ pull_request: pull, review }, scene) => {
  const ignored = notOurPull(pull, scene);
  if (ignored !== undefined) return ignored;
  if (!review.user) return { ignored: "the reviewer's account is gone" };
  return {
    ...scene.base,
    permitted: false,
    type: "review_dismissed",
    pull: pull.number,
    headRef: pull.headRef,
    reviewer: review.user,
    reviewedCommit: review.commit_id ?? null,
  };
});
