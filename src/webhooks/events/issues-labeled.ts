import { z } from "zod";
import { isCoder, roleForLabel } from "../../domain/agents/role.ts";
import { isGoalLabel } from "../../domain/planning/plan.ts";
import { isStateLabel } from "../../domain/tasks/state-label.ts";
import { issueShape, labelShape } from "../payload.ts";
import { NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import { OWN_STATE_LABEL, parser } from "./parsing.ts";

const shape = z.object({ issue: issueShape, label: labelShape });

/** The author's permission is asked for labels that begin something; a person's pull request only when it can matter. */
export const issuesLabeled = parser(shape, async ({ issue, label }, context) => {
  const { base, own, tools } = context;
  if (own && isStateLabel(label.name)) return OWN_STATE_LABEL;
  const role = roleForLabel(tools.settings.roles, label.name);
  const permitted = await context.mayAsk(base.repository, base.actor);
  const begins = role !== undefined || isGoalLabel(label.name);
  const authorPermitted = begins && (await context.mayAsk(base.repository, issue.author));
  const mayStart = role !== undefined && isCoder(role) && (own ? authorPermitted : permitted);
  return {
    ...base,
    permitted,
    type: "issue_labeled",
    issue,
    label: label.name,
    own,
    authorPermitted,
    ...(mayStart ? await pullsOfPeople(tools, context.mayAsk, base.repository, issue) : NO_PULLS),
  };
});
