import { HOUR } from "../factories/moment.ts";
import { labeled } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { edit, on, slowly } from "./scripts.ts";

export const nameOn = (issue: number) => `feat-dev-issue-${issue}`;

/** A rig with agents at work on issues 1 and 2 that do not end; one on issue 3 would not either. */
export async function twoAtWork(options: Parameters<typeof aRig>[0] = {}): Promise<Rig> {
  const rig = await aRig({
    script: [1, 2, 3].map((issue) => on(issue, slowly(9 * HOUR, edit()))),
    ...options,
  });
  for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("both talk", () => rig.runtime.requests.length === 2);
  return rig;
}
