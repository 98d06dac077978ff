import { z } from "zod";
import { pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { parser } from "./parsing.ts";
import { proposalClosed } from "./proposal-closed.ts";
import { revertedBy } from "./reverted-by.ts";

export const pullRequestClosed = parser(
  z.object({ pull_request: pullRequestShape }),
  async ({ pull_request: pull }, context) =>
    proposalClosed(pull, context) ??
    (pull.merged ? revertedBy([pull.body], context) : undefined) ??
    notOurPull(pull, context) ?? {
      ...context.base,
      permitted: await context.mayAsk(context.base.repository, context.base.actor),
      type: "pull_closed",
      pull: pull.number,
      headRef: pull.headRef,
      merged: pull.merged,
      mergeCommit: pull.merged ? pull.mergeCommit : null,
      own: context.own,
    },
);
