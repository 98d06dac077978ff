import { z } from "zod";
import { pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { parser } from "./parsing.ts";

export const pullRequestConvertedToDraft = parser(
  z.object({ pull_request: pullRequestShape }),
  async ({ pull_request: pull }, context) =>
    notOurPull(pull, context) ?? {
      ...context.base,
      permitted: await context.mayAsk(context.base.repository, context.base.actor),
      type: "pull_drafted",
      pull: pull.number,
      headRef: pull.headRef,
    },
);
