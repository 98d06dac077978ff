import { z } from "zod";
import { isCoder } from "../../domain/agents/role.ts";
import { subIssueBody } from "../../domain/planning/sub-issue-text.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { refusedIssue } from "../blockers/refused-issue.ts";
import { coderFor, partsOf } from "../planning/sub-issues.ts";
import { number, text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";

/**
 * Opens one sub-issue per title, however often the planner calls it and whatever interrupts it: the issue is
 * found by its name.
 */
export const createSubIssue = defineTool({
  name: "create_sub_issue",
  description:
    "Open a part of your issue as a sub-issue. It is a draft: no agent works on it before finalize_plan. The number you may open is limited; the same title opens only one.",
  purpose:
    "open a sub-issue of the agent's own issue, as a draft; `after` gives the order. Limits as for `create_blocker_issue`",
  schema: z.strictObject({
    title: text(256, "What is to be done, in one line"),
    body: text(60_000, "Markdown: what is needed, why, and how to tell that it is done"),
    role: text(50, "Name of the role that is to do it; left out: the first that writes code").optional(),
    after: z
      .array(number("Number of a sub-issue that you opened before, without #"))
      .max(20)
      .describe("Sub-issues that must be closed before this one begins; left out: none")
      .optional(),
  }),
  kind: "write",
  terminal: false,
  // Compared with the existing role names.
  sanitize: { title: sanitizers.issueTitle, body: sanitizers.markdown, role: sanitizers.exact },
  run: ({ title, body, role, after }, given) =>
    queueOutput(given, {
      effect: (agent) => ({
        kind: "create_sub_issue",
        name: `${agent.name}-part-${given.context.digest(title).slice(0, 16)}`,
        title,
        body: subIssueBody(body, agent),
        role: role ?? null,
        after: after ?? [],
      }),
      refusal: async ({ tables, settings, agent, effect }) => {
        if (coderFor(settings, effect.role) === undefined) {
          const coders = [...settings.roles.values()].filter(isCoder).map(({ name }) => name);
          return `There is no role ${effect.role ?? ""} that writes code; there are: ${coders.join(", ")}.`;
        }
        const opened = await partsOf(tables, agent);
        const unknown = effect.after.filter((one) => !opened.includes(one));
        if (unknown.length > 0)
          return `after: ${unknown.map((one) => `#${one}`).join(", ")} is no sub-issue that you have opened. Open what comes first before what comes after it.`;
        return refusedIssue(tables, settings, agent, effect.name);
      },
      done: (result) =>
        `Issue #${String(result["number"])} is a part of yours and a draft. It begins after finalize_plan.`,
    }),
});
