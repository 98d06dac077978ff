import { z } from "zod";
import { isGoalLabel } from "../../core/plan.ts";
import { isCoder, roleForLabel } from "../../core/role.ts";
import { isStateLabel } from "../../core/state-label.ts";
import { issueShape, labelShape } from "../payload.ts";
import { NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import { OWN_STATE_LABEL, reader } from "./reading.ts";

const shape = z.object({ issue: issueShape, label: labelShape });

/** The author's permission is asked for labels that begin something; a person's pull request only when it can matter. */
export const issuesLabeled = reader(shape, async ({ issue, label }, scene) => {
  const { base, own, tools } = scene;
  if (own && isStateLabel(label.name)) return OWN_STATE_LABEL;
  const role = roleForLabel(tools.settings.roles, label.name);
  const permitted = await scene.mayAsk(base.repository, base.actor);
  const begins = role !== undefined || isGoalLabel(label.name);
  const authorPermitted = begins && (await scene.mayAsk(base.repository, issue.author));
  const mayStart = role !== undefined && isCoder(role) && (own ? authorPermitted : permitted);
  return {
    ...base,
    permitted,
    type: "issue_labeled",
    issue,
    label: label.name,
    own,
    authorPermitted,
    ...(mayStart ? await pullsOfPeople(tools, scene.mayAsk, base.repository, issue) : NO_PULLS),
  };
});
