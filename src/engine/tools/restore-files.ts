import { z } from "zod";
import { messageOf } from "../../domain/kernel/errors.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { defineTool, toolRefusal, toolSuccess } from "./define-tool.ts";

export const restoreFiles = defineTool({
  name: "restore_files",
  description:
    "Restore files to their state in your branch's last commit, and delete those that are not in it. Your changes to them since then are lost.",
  purpose: "restore files to their state in the last commit",
  schema: z.strictObject({
    paths: z
      .array(z.string().min(1).max(4096).describe("Path relative to your working directory"))
      .min(1)
      .max(200)
      .describe("The files"),
  }),
  kind: "write",
  terminal: false,
  sanitize: { paths: sanitizers.exact },
  run: async ({ paths }, { context, agent }) => {
    const ref = await worktreeOf(context, agent);
    if (ref === null) return toolRefusal("You have no worktree.");
    try {
      await context.worktrees.restore(ref, paths);
      return toolSuccess(`Restored: ${paths.join(", ")}`);
    } catch (error) {
      return toolRefusal(messageOf(error));
    }
  },
});
