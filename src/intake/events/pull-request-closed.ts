import { z } from "zod";
import { pullRequestShape } from "../payload.ts";
import { notOurPull } from "./our-pull.ts";
import { proposalClosed } from "./proposal-closed.ts";
import { reader } from "./reading.ts";
import { revertedBy } from "./reverted-by.ts";

export const pullRequestClosed = reader(
  z.object({ pull_request: pullRequestShape }),
  async ({ pull_request: pull }, scene) =>
    proposalClosed(pull, scene) ??
    (pull.merged ? revertedBy([pull.body], scene) : undefined) ??
    notOurPull(pull, scene) ?? {
      ...scene.base,
      permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
      type: "pull_closed",
      pull: pull.number,
      headRef: pull.headRef,
      merged: pull.merged,
      mergeCommit: pull.merged ? pull.mergeCommit : null,
      own: scene.own,
    },
);
