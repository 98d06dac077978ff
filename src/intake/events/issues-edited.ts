import { z } from "zod";
import { issueShape, writtenShape } from "../payload.ts";
import { reader } from "./reading.ts";

/** GitHub gives only what was changed, as it was. */
const from = z.object({ from: writtenShape.nullish() }).optional();

const shape = z.object({ issue: issueShape, changes: z.object({ title: from, body: from }) });

export const issuesEdited = reader(shape, async ({ issue, changes: { title, body } }, scene) => {
  if (scene.own) return { ignored: "it is our own" };
  return {
    ...scene.base,
    permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
    type: "issue_edited",
    issue,
    was: {
      title: title?.from ?? issue.title,
      body: body === undefined ? issue.body : (body.from ?? ""),
    },
  };
});
