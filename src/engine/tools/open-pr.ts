import { z } from "zod";
import type { Shown } from "../../domain/instructions/given-file.ts";
import { missingOfTemplate } from "../../domain/instructions/pull-template.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { pullRequestBody } from "../../domain/tasks/pull-request-body.ts";
import { readTemplate } from "../instructions/read-instructions.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";

export const openPr = defineTool({
  name: "open_pr",
  description:
    "Open the pull request of your branch, once your changes are committed. If it is open already, you get that one. The host links it to your issue.",
  purpose: "open the pull request of the agent's branch",
  schema: z.strictObject({
    title: text(256, "What the change does, in one line"),
    body: text(
      60_000,
      "Markdown: what was changed and why, how it was checked, what reviewers should look at",
    ),
  }),
  kind: "write",
  terminal: false,
  sanitize: { title: sanitizers.pullTitle, body: sanitizers.pullBody },
  run: async ({ title, body }, given) => {
    const missing = missingOf(await readTemplate(given.context, given.agent), body);
    return queueOutput(given, {
      effect: (agent) => ({ kind: "open_pr", title, body: pullRequestBody(body, agent.issue) }),
      refusal: ({ agent, settings }) => {
        if (agent.branch === null) return "You have no branch.";
        if (agent.prNumber !== null)
          return `Your pull request is #${agent.prNumber} already; commits go there.`;
        return settings.policy.maxOutputs.pullRequests === 0
          ? "Pull requests are switched off here."
          : missing;
      },
      done: (result) => `Pull request #${String(result["number"])} is open.`,
    });
  },
});

/** Returns what the text lacks of the repository's template, for the model; null where it follows it. */
function missingOf(template: Shown | null, body: string): string | null {
  const missing = template === null ? [] : missingOfTemplate(template.text, body);
  if (missing.length === 0) return null;
  const why = "The pull request is not opened yet: its text does not follow the repository's template.";
  return [why, ...missing.map((sentence) => `- ${sentence}`), "Call open_pr again with the whole text."].join(
    "\n",
  );
}
