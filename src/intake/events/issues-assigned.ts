import { z } from "zod";
import { accountShape, issueShape } from "../payload.ts";
import { reader } from "./reading.ts";

const shape = z.object({ issue: issueShape, assignee: accountShape });

/** A person took the issue over; a bot that was assigned is no person. */
export const issuesAssigned = reader(shape, async ({ issue, assignee }, scene) => {
  if (assignee.type !== "User") return { ignored: `${assignee.login} is not a person` };
  return {
    ...scene.base,
    permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
    type: "issue_assigned",
    issue,
    assignee,
  };
});
