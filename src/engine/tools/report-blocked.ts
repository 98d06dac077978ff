import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import type { BlockReport } from "../../domain/sessions/intent.ts";
import { blockFault } from "../blockers/block-fault.ts";
import { issue, text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { recordIntent } from "./record-intent.ts";

export const reportBlocked = defineTool({
  name: "report_blocked",
  description:
    "Say that you cannot continue before another open issue is closed, in this repository or in another where Flotilla works. You sleep, and are woken with this conversation when it closes. Use it only for a real dependency on that issue; if you need a decision or an answer, use escalate_to_human. With cause replanning, say instead that your task cannot be done as it is: it is too big for one pull request, asks for several things, or assumes something untrue. Your work is saved, and a planner or a person replans the task. Ends your turn.",
  purpose:
    "sleep until another issue closes (not for ephemeral roles, which do not sleep for that); with cause `replanning`: the task is BLOCKED until a planner or a person replans it",
  schema: z
    .strictObject({
      blocker_issue: issue(
        "The open issue that must be closed first: its number without #, or owner/name#number for one of another repository; left out with cause replanning",
      ).optional(),
      cause: z
        .enum(["issue", "replanning"])
        .describe(
          "issue (the default): blocker_issue must be closed first; replanning: your task must be split, changed or replaced",
        )
        .optional(),
      reason: text(
        2000,
        "What you need from that issue and why you cannot continue without it; with cause replanning: what is wrong with the task as it is, and how you would split or change it",
      ),
    })
    .refine(({ blocker_issue: blocker, cause }) => (cause === "replanning") === (blocker === undefined), {
      path: ["blocker_issue"],
      error: "name the issue that blocks you; only with cause replanning leave it out",
    }),
  kind: "report",
  terminal: true,
  sanitize: { blocker_issue: sanitizers.exact, reason: sanitizers.markdown },
  run: ({ blocker_issue: blocker, reason }, given) => {
    const report: BlockReport =
      blocker === undefined
        ? { kind: "report_blocked", cause: "replanning", reason }
        : { kind: "report_blocked", ...blocker, reason };
    return recordIntent(given, report, () => blockFault(given.context, given.agent, report));
  },
});
