import { z } from "zod";
import { issueShape } from "../payload.ts";
import { personPull } from "../pulls-of-issue.ts";
import { reader } from "./reading.ts";

export const issuesReopened = reader(z.object({ issue: issueShape }), async ({ issue }, scene) => {
  const { base, tools } = scene;
  return {
    ...base,
    permitted: await scene.mayAsk(base.repository, base.actor),
    type: "issue_reopened",
    issue,
    personPull: await personPull({ ...tools, botId: tools.identity.botId }, base.repository, issue.number),
  };
});
