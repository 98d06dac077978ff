import { z } from "zod";
import { isStateLabel } from "../../domain/tasks/state-label.ts";
import { issueShape, labelShape } from "../payload.ts";
import { OWN_STATE_LABEL, parser } from "./parsing.ts";

const shape = z.object({ issue: issueShape, label: labelShape });

export const issuesUnlabeled = parser(shape, async ({ issue, label }, { base, own, mayAsk }) => {
  if (own && isStateLabel(label.name)) return OWN_STATE_LABEL;
  const permitted = await mayAsk(base.repository, base.actor);
  return { ...base, permitted, type: "issue_unlabeled", issue, label: label.name, own };
});
