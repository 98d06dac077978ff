import { z } from "zod";
import { issueShape } from "../payload.ts";
import { mergedPull } from "../pulls-of-issue.ts";
import { parser } from "./parsing.ts";

/** Asks whether our pull request was merged, since the two webhooks come in any order. */
export const issuesClosed = parser(z.object({ issue: issueShape }), async ({ issue }, context) => ({
  ...context.base,
  permitted: await context.mayAsk(context.base.repository, context.base.actor),
  type: "issue_closed",
  issue,
  mergedPull: await mergedPull(context.tools, context.base.repository, issue.number),
}));
