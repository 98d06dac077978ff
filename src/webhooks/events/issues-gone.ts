import { z } from "zod";
import { issueShape } from "../payload.ts";
import { parser } from "./parsing.ts";

const moved = z.object({
  issue: issueShape,
  changes: z.object({
    new_issue: z.object({ number: z.int().positive() }),
    new_repository: z.object({ full_name: z.string().min(1) }),
  }),
});

/** Who did it does not matter: the issue is no longer there. */
export const issuesDeleted = parser(z.object({ issue: issueShape }), async ({ issue }, { base }) => ({
  ...base,
  permitted: false,
  type: "issue_gone",
  issue,
  to: null,
}));

/** The issue continues elsewhere under another number; GitHub tells of it there as of a new one. */
export const issuesTransferred = parser(moved, async ({ issue, changes }, { base }) => ({
  ...base,
  permitted: false,
  type: "issue_gone",
  issue,
  to: `${changes.new_repository.full_name}#${changes.new_issue.number}`,
}));
