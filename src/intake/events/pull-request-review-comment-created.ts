import { z } from "zod";
import { readComment } from "../../core/command.ts";
import { branchIssue } from "../../core/text/branch-name.ts";
import { commentShape, pullRequestShape } from "../payload.ts";
import { commentedOn } from "./commented.ts";
import { endOf, notOurPull } from "./our-pull.ts";
import { reader, unheard } from "./reading.ts";

const shape = z.object({ pull_request: pullRequestShape, comment: commentShape });

/** A comment on a line counts as a review that comments; one that gives a command, as that command. */
export const pullRequestReviewCommentCreated = reader(
  shape,
  async ({ pull_request: pull, comment }, scene) => {
    const ignored = notOurPull(pull, scene) ?? unheard(scene);
    if (ignored !== undefined) return ignored;
    const { base, tools } = scene;
    const issue = branchIssue(tools.settings.branches, pull.headRef);
    if (issue !== undefined && readComment(comment.body, tools.identity.slug).command !== null)
      return commentedOn(
        await tools.github.issue(base.repository, issue),
        { ...comment, place: "review" },
        scene,
      );
    return {
      ...base,
      permitted: await scene.mayAsk(base.repository, base.actor),
      type: "reviewed",
      pull: pull.number,
      headRef: pull.headRef,
      ended: endOf(pull),
      source: `line:${comment.id}`,
      verdict: "commented",
      reviewedCommit: null,
      body: comment.body,
      url: comment.url,
    };
  },
);
