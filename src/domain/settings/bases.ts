import { z } from "zod";
import { isBranchName } from "../kernel/is-branch-name.ts";
import { setting } from "./keys.ts";

const ADVICE = "write the name of a branch: letters, digits, and single - _ . / inside";

const branchName = () => z.string().refine(isBranchName, { error: ADVICE });

const pattern = z.string().refine((text) => isBranchName(text.replaceAll("*", "x")), {
  error: `${ADVICE}, with * for any characters but /, such as "release-*"`,
});

const named = z
  .strictObject({
    label: z.string().min(1).optional(),
    milestone: z.string().min(1).optional(),
    branch: branchName(),
  })
  .refine(({ label, milestone }) => (label === undefined) !== (milestone === undefined), {
    error: "write either a label or a milestone, not both",
  })
  .meta({ oneOf: [{ required: ["label"] }, { required: ["milestone"] }] });

/** Where the work of an issue may go besides the default branch. */
export const bases = setting("bases", z.array(z.union([pattern, named])), {
  description:
    'Branches, besides the default branch, that pull requests may target. A pattern such as `"release-*"` permits `/flotilla start <role> on release-1`. `{ label, branch }` and `{ milestone, branch }` choose the branch for issues that have the label or milestone when work starts. Anyone who can label an issue can choose one of these branches.',
  default: [],
  repository: "add",
});

/** The branch of all work for which nothing else names one. */
export const base = setting("base", branchName().nullable(), {
  description:
    "Branch that work goes to where neither a command nor a label or milestone of `bases` names another. `null`: the repository's default branch.",
  default: null,
  repository: "replace",
});
