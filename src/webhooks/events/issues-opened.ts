import { z } from "zod";
import { issueShape } from "../payload.ts";
import { parser } from "./parsing.ts";

export const issuesOpened = parser(z.object({ issue: issueShape }), async ({ issue }, context) => ({
  ...context.base,
  permitted: await context.mayAsk(context.base.repository, context.base.actor),
  type: "issue_opened",
  issue,
}));
