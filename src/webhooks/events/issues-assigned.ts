import { z } from "zod";
import { accountShape, issueShape } from "../payload.ts";
import { parser } from "./parsing.ts";

const shape = z.object({ issue: issueShape, assignee: accountShape });

/** A person took the issue over; a bot that was assigned is no person. */
export const issuesAssigned = parser(shape, async ({ issue, assignee }, context) => {
  if (assignee.type !== "User") return { ignored: `${assignee.login} is not a person` };
  return {
    ...context.base,
    permitted: await context.mayAsk(context.base.repository, context.base.actor),
    type: "issue_assigned",
    issue,
    assignee,
  };
});
