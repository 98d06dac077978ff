import { z } from "zod";
import { branchIssue } from "../../core/text/branch-name.ts";
import { reader } from "./reading.ts";

const shape = z.object({
  ref: z.string(),
  after: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  deleted: z.boolean(),
});

/** Somebody else's push to a branch of an agent; whether they may steer does not matter, nobody's commit is overwritten. */
export const pushed = reader(shape, async ({ ref, after, deleted }, { base, own, tools }) => {
  if (own) return { ignored: "it is our own" };
  const headRef = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (headRef === undefined || branchIssue(tools.settings.branches, headRef) === undefined)
    return { ignored: `${ref} is not a branch of ours` };
  return { ...base, permitted: false, type: "pushed", headRef, tip: deleted ? null : after };
});
