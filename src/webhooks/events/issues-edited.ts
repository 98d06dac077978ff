import { z } from "zod";
import { issueShape, writtenShape } from "../payload.ts";
import { parser } from "./parsing.ts";

/** GitHub gives only what was changed, as it was. */
const from = z.object({ from: writtenShape.nullish() }).optional();

const shape = z.object({ issue: issueShape, changes: z.object({ title: from, body: from }) });

export const issuesEdited = parser(shape, async ({ issue, changes: { title, body } }, context) => {
  if (context.own) return { ignored: "it is our own" };
  return {
    ...context.base,
    permitted: await context.mayAsk(context.base.repository, context.base.actor),
    type: "issue_edited",
    issue,
    was: {
      title: title?.from ?? issue.title,
      body: body === undefined ? issue.body : (body.from ?? ""),
    },
  };
});
