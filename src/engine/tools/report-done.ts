import { z } from "zod";
import { isOnPull } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { levelOn } from "../outbox/level-guard.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";
import { recordIntent } from "./record-intent.ts";

export const reportComplete = defineTool({
  name: "report_complete",
  description:
    "Say that the work on your issue is done. The host checks the evidence; if something is missing you are told what. If your work changes code, commit it and open the pull request first. Ends your turn.",
  purpose: "claim that the work is done; Flotilla checks the claim against the role's evidence",
  schema: z.strictObject({
    summary: text(5000, "What was done and how you checked it, for the people who read the issue"),
  }),
  kind: "report",
  terminal: true,
  sanitize: { summary: sanitizers.markdown },
  run: ({ summary }, given) => recordIntent(given, { kind: "report_complete", summary }),
});

export const requestReview = defineTool({
  name: "request_review",
  description:
    "Ask for a review of your pull request, once the work is done, committed and proposed. The host checks the evidence as for report_complete, except checks that still run. You sleep, and are woken with this conversation when changes are requested. Where a review is required, use this and not report_complete. Ends your turn.",
  purpose:
    "ask for a review of finished work: Flotilla checks it like a claim, then the agent sleeps until the review (coders only)",
  schema: z.strictObject({
    summary: text(5000, "What was done, how you checked it, and what the reviewer should look at first"),
  }),
  kind: "report",
  terminal: true,
  sanitize: { summary: sanitizers.markdown },
  run: async ({ summary }, given) => {
    const fault = await reviewFault(given);
    return fault === null ? recordIntent(given, { kind: "request_review", summary }) : toolRefusal(fault);
  },
});

async function reviewFault({ context, agent }: ToolContext): Promise<string | null> {
  if (!agent.coder) return "You change no code, so there is nothing of yours to review. Use report_complete.";
  if (isOnPull(agent)) return "This is a person's pull request, which people review. Use report_complete.";
  const repository = await repositoryOf(context, agent.repositoryId);
  const level = await levelOn(context, repository, agent.issue).catch(messageOf);
  return level === "observe" || level === "comment"
    ? `The level here is ${level}: your work stays on this machine, where nobody reviews it. Use report_complete.`
    : null;
}
