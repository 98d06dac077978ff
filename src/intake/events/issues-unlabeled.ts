import { z } from "zod";
import { isStateLabel } from "../../core/state-label.ts";
import { issueShape, labelShape } from "../payload.ts";
import { OWN_STATE_LABEL, reader } from "./reading.ts";

const shape = z.object({ issue: issueShape, label: labelShape });

export const issuesUnlabeled = reader(shape, async ({ issue, label }, { base, own, mayAsk }) => {
  if (own && isStateLabel(label.name)) return OWN_STATE_LABEL;
  const permitted = await mayAsk(base.repository, base.actor);
  return { ...base, permitted, type: "issue_unlabeled", issue, label: label.name, own };
});
