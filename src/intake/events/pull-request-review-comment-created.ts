import { z } from "zod";
import { commentShape, pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { reader, unheard } from "./reading.ts";

const shape = z.object({ pull_request: pullRequestShape, comment: commentShape });

/** A comment on a line counts as a review that comments. */
export const pullRequestReviewCommentCreated = reader(
  shape,
  async ({ pull_request: pull, comment }, scene) =>
    notOurPull(pull, scene) ??
    unheard(scene) ?? {
      ...scene.base,
      permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
      type: "reviewed",
      pull: pull.number,
      headRef: pull.headRef,
      verdict: "commented",
      body: comment.body,
      url: comment.url,
    },
);
