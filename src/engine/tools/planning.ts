import { z } from "zod";
import { number, text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";

/** What a planner does: it splits its issue into parts with an order, and replans what is blocked. */
export const planningTools = [
  defineTool({
    name: "create_sub_issue",
    description:
      "Open a part of your issue as a sub-issue of its own. It is a draft: nobody works on it before finalize_plan. How many you may open is limited; the same title opens one.",
    schema: z.strictObject({
      title: text(256, "What is to be done, in one line"),
      body: text(60_000, "Markdown: what is needed, why, and how one sees that it is done"),
      role: text(50, "Name of the role that is to do it; left out: the first that writes code").optional(),
      after: z
        .array(number("Number of a sub-issue that you opened before, without #"))
        .max(20)
        .describe("Sub-issues that must be closed before this one begins; left out: none")
        .optional(),
    }),
    terminal: false,
    run: ({ title, body, role, after }, host, callId) =>
      host.output({ kind: "create_sub_issue", title, body, role: role ?? null, after: after ?? [] }, callId),
  }),
  defineTool({
    name: "finalize_plan",
    description:
      "Say that the sub-issues that you have opened are all there is: none of them is a draft any more, and they begin in their order. Once, when the plan stands.",
    schema: z.strictObject({}),
    terminal: false,
    run: (_args, host) => host.finalizePlan(),
  }),
  defineTool({
    name: "rescope_task",
    description:
      "Have a blocked task of your issue or of one of its sub-issues tried again by a new attempt, which is told your reason. Edit nothing yourself: say what is to be done otherwise.",
    schema: z.strictObject({
      issue: number("Number of the issue, without #"),
      reason: text(2000, "What is to be done otherwise, and why that helps"),
    }),
    terminal: false,
    run: (wanted, host) => host.rescopeTask(wanted),
  }),
  defineTool({
    name: "supersede_task",
    description:
      "Give up a blocked task of your issue or of one of its sub-issues because another open issue takes its place. That cannot be taken back.",
    schema: z.strictObject({
      issue: number("Number of the issue that is given up, without #"),
      by: number("Number of the open issue that takes its place, without #"),
      reason: text(2000, "Why that one takes its place"),
    }),
    terminal: false,
    run: (wanted, host) => host.supersedeTask(wanted),
  }),
] as const;
