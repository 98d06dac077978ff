import { z } from "zod";
import { issueShape } from "../payload.ts";
import { NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import { parser } from "./parsing.ts";

/** A person's pull request is looked for only where the reopening can start something. */
export const issuesReopened = parser(z.object({ issue: issueShape }), async ({ issue }, context) => {
  const { base, tools } = context;
  const permitted = await context.mayAsk(base.repository, base.actor);
  return {
    ...base,
    permitted,
    type: "issue_reopened",
    issue,
    ...(permitted ? await pullsOfPeople(tools, context.mayAsk, base.repository, issue) : NO_PULLS),
  };
});
