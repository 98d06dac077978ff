import { z } from "zod";
import { issueShape } from "../payload.ts";
import { reader } from "./reading.ts";

export const issuesOpened = reader(z.object({ issue: issueShape }), async ({ issue }, scene) => ({
  ...scene.base,
  permitted: await scene.mayAsk(scene.base.repository, scene.base.actor),
  type: "issue_opened",
  issue,
}));
