import { z } from "zod";
import { blockerIssueBody } from "../../domain/blockers/blocker-issue.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { refusedIssue } from "../blockers/refused-issue.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";
import { labelsFor, leftOut, toldLeftOut } from "./repository-labels.ts";

/**
 * Opens one issue per title, however often the agent calls it and whatever interrupts it: the issue is found
 * by its name.
 */
export const createBlockerIssue = defineTool({
  name: "create_blocker_issue",
  description:
    "Open an issue for something that must be done first and that is not a part of your own issue. It is linked as a blocker of yours. Check first whether such an issue exists; the number you may open is limited. It ends nothing: when nothing else is left to do, use report_blocked with its number. People decide who works on it.",
  purpose:
    "open an issue that must be done first; it blocks the agent's own issue; at most `policy.max_outputs.issues` an agent and `storm.max_depth` deep",
  schema: z.strictObject({
    title: text(256, "What is to be done, in one line"),
    body: text(60_000, "Markdown: what is needed, why, and how to tell that it is done"),
    labels: z
      .array(text(50, "Name of a label that the repository has"))
      .max(10)
      .describe("Labels of the new issue; left out: none")
      .optional(),
  }),
  kind: "write",
  terminal: false,
  sanitize: { title: sanitizers.issueTitle, body: sanitizers.markdown, labels: sanitizers.names },
  run: async ({ title, body, labels: named = [] }, given) => {
    const known = await labelsFor(named, given);
    if ("fault" in known) return toolRefusal(known.fault);
    const labels = [...known.labels];
    return queueOutput(given, {
      effect: (agent) => ({
        kind: "create_blocker_issue",
        name: `${agent.name}-blocker-${given.context.digest(title).slice(0, 16)}`,
        title,
        body: blockerIssueBody(body, agent),
        labels,
      }),
      refusal: ({ tables, settings, agent, effect }) => refusedIssue(tables, settings, agent, effect.name),
      done: (result) =>
        [
          result["state"] === "open"
            ? `Issue #${String(result["number"])} is open and blocks yours. Use report_blocked with it when nothing else is left to do.`
            : `Issue #${String(result["number"])} of this title was opened before and is closed: it blocks you no more.`,
          toldLeftOut(leftOut(labels, result)),
        ]
          .join(" ")
          .trim(),
    });
  },
});
