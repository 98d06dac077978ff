import { z } from "zod";
import { pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { parser } from "./parsing.ts";

/** Who did it does not matter: GitHub asks for the permission, and only what is due anyhow follows. */
export const pullRequestReadyForReview = parser(
  z.object({ pull_request: pullRequestShape }),
  async ({ pull_request: pull }, context) =>
    notOurPull(pull, context) ?? {
      ...context.base,
      permitted: false,
      type: "pull_ready",
      pull: pull.number,
      headRef: pull.headRef,
    },
);
