import { z } from "zod";
import { issueShape } from "../payload.ts";
import { mergedPull } from "../pulls-of-issue.ts";
import { reader } from "./reading.ts";

/** Asks whether our pull request was merged, since the two webhooks come in any order. */
export const issuesClosed = reader(z.object({ issue: issueShape }), async ({ issue }, scene) => ({
  ...scene.base,
  permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
  type: "issue_closed",
  issue,
  mergedPull: await mergedPull(scene.tools, scene.base.repository, issue.number),
}));
