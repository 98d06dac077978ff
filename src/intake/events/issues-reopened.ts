import { z } from "zod";
import { issueShape } from "../payload.ts";
import { NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import { reader } from "./reading.ts";

/** A person's pull request is looked for only where the reopening can start something. */
export const issuesReopened = reader(z.object({ issue: issueShape }), async ({ issue }, scene) => {
  const { base, tools } = scene;
  const permitted = await scene.mayAsk(base.repository, base.actor);
  return {
    ...base,
    permitted,
    type: "issue_reopened",
    issue,
    ...(permitted ? await pullsOfPeople(tools, scene.mayAsk, base.repository, issue) : NO_PULLS),
  };
});
