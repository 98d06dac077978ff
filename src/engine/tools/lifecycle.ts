import { z } from "zod";
import { issue, text } from "./arguments.ts";
import { askHuman } from "./ask-human.ts";
import { defineTool } from "./define-tool.ts";

/** How an agent begins and ends a piece of work: it asks for one of these, and the engine decides when the exchange ends. */
export const lifecycleTools = [
  defineTool({
    name: "submit_plan",
    description:
      "Say what you are going to do, once you have read enough and before you change anything. People see it, and it is kept for you. It ends nothing: continue at once. Without it, planning ends with your first change.",
    schema: z.strictObject({
      plan: text(8000, "The steps in order, and how each will be shown to be right"),
    }),
    terminal: false,
    run: ({ plan }, host) => host.submitPlan(plan),
  }),
  defineTool({
    name: "report_blocked",
    description:
      "Say that you cannot continue before another open issue is closed, of this repository or of another one where Flotilla works. You are put to sleep and woken, with this conversation, when it is. Use it only for a real dependency on that issue; if you need a decision or an answer, use escalate_to_human. With cause replanning, say instead that your task cannot be done as it is: it is too big for one pull request, asks for several things, or assumes something untrue. Your work is saved, and a planner or a person replans the task. Ends your turn.",
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
    terminal: true,
    run: ({ blocker_issue: blocker, reason }, host) =>
      host.intend(
        blocker === undefined
          ? { kind: "report_blocked", cause: "replanning", reason }
          : { kind: "report_blocked", ...blocker, reason },
      ),
  }),
  defineTool({
    name: "report_complete",
    description:
      "Say that the work on your issue is done. The host checks the evidence; if something is missing you are told what. If your work changes code, commit it and open the pull request first. Ends your turn.",
    schema: z.strictObject({
      summary: text(5000, "What was done and how you checked it, for the people who read the issue"),
    }),
    terminal: true,
    run: ({ summary }, host) => host.intend({ kind: "report_complete", summary }),
  }),
  defineTool({
    name: "request_review",
    description:
      "Ask for a review of your pull request, once the work is done, committed and proposed. The host checks the evidence as for report_complete, except checks that still run. You are put to sleep, and woken with this conversation when changes are wanted. Where a review is required, use this and not report_complete. Ends your turn.",
    schema: z.strictObject({
      summary: text(5000, "What was done, how you checked it, and what the reviewer should look at first"),
    }),
    terminal: true,
    run: ({ summary }, host) => host.intend({ kind: "request_review", summary }),
  }),
  defineTool({
    name: "escalate_to_human",
    description:
      "Ask a person to act when you cannot or must not continue: a decision that is not yours, missing access, contradicting or unsafe requirements, a broken environment. The issue is marked, and you continue from the answer in this conversation. Ends your turn.",
    schema: z.strictObject({
      reason: text(2000, "What stands in the way, and what you tried"),
      category: text(
        64,
        "One or two words for the kind of trouble, such as decision, requirements, access, environment, security",
      ),
      question: text(2000, "The one question whose answer lets you continue, if there is one").optional(),
    }),
    terminal: true,
    run: ({ reason, category, question }, host) =>
      host.intend({ kind: "escalate_to_human", reason, category, question: question ?? null }),
  }),
  askHuman,
  defineTool({
    name: "write_handoff",
    description:
      "Leave word to the conversation that continues with your work. Only possible when you are asked for it, because your context is full. Ends your turn.",
    schema: z.strictObject({
      summary: text(20_000, "What was done, found and decided, and what is still open, with names of files"),
      next_action: text(2000, "The one thing to do next"),
    }),
    terminal: true,
    run: ({ summary, next_action: nextAction }, host) => host.writeHandoff({ summary, nextAction }),
  }),
] as const;
