import { z } from "zod";
import { issueShape, labelShape } from "../payload.ts";
import { reader } from "./reading.ts";

const shape = z.object({ issue: issueShape, label: labelShape });

export const issuesUnlabeled = reader(shape, async ({ issue, label }, scene) => ({
  ...scene.base,
  permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
  type: "issue_unlabeled",
  issue,
  label: label.name,
  own: scene.own,
}));
