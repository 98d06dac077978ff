import { z } from "zod";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { parser } from "./parsing.ts";
import { revertedBy } from "./reverted-by.ts";

const shape = z.object({
  ref: z.string(),
  after: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  deleted: z.boolean(),
  commits: z.array(z.object({ message: z.string() })).optional(),
});

/** Somebody else's push to a branch of an agent; whether they may steer does not matter, nobody's commit is overwritten. */
export const pushed = parser(shape, async ({ ref, after, deleted, commits = [] }, context) => {
  const { base, own, tools } = context;
  const headRef = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (headRef === base.repository.defaultBranch) await tools.ownSettings.look(base.repository);
  if (own) return { ignored: "it is our own" };
  if (headRef === base.repository.defaultBranch) {
    const reverted = revertedBy(
      commits.map(({ message }) => message),
      context,
    );
    if (reverted !== undefined) return reverted;
  }
  if (headRef === undefined || branchIssue(tools.settings.branches, headRef) === undefined)
    return { ignored: `${ref} is not a branch of ours` };
  return { ...base, permitted: false, type: "pushed", headRef, tip: deleted ? null : after };
});
