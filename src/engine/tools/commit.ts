import { z } from "zod";
import type { Level } from "../../domain/access/level.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";

export const commit = defineTool({
  name: "commit",
  description:
    "Commit every change in your working directory on your branch and push it. Git is read-only for you otherwise. Remove temporary files first; use restore_files for changes that should not be committed.",
  purpose: "commit all changes and push them; git itself is read-only for agents",
  schema: z.strictObject({
    message: text(5000, "Commit message: a short line, then, if needed, an empty line and the reasons"),
  }),
  kind: "write",
  terminal: false,
  sanitize: { message: sanitizers.commitMessage },
  run: ({ message }, given) =>
    queueOutput(given, {
      effect: () => ({ kind: "commit", message }),
      refusal: ({ agent }) => (agent.branch === null ? "You have no branch." : null),
      done,
    }),
});

function done(result: Readonly<Record<string, unknown>>, withheldAt: Level | null): string {
  if (typeof result["held"] === "string") return `Nothing was committed: ${result["held"]}`;
  if (typeof result["tooManyChanges"] === "string")
    return `Nothing was committed: ${result["tooManyChanges"]}`;
  if (typeof result["unsettled"] === "string")
    return `Nothing was committed: ${result["unsettled"]}. Settle them first.`;
  if (typeof result["ended"] === "number")
    return `Committed as ${String(result["commit"])}, and not pushed: pull request #${result["ended"]} is not open any more. Stop here.`;
  return [
    result["patch"] === true
      ? `Committed as ${String(result["commit"])}. It stays on this machine, and is offered as a patch once you report that you are done.`
      : withheldAt !== null
        ? `Committed as ${String(result["commit"])}, and not pushed: the level here is ${withheldAt}.`
        : typeof result["commit"] === "string"
          ? `Committed and pushed as ${result["commit"]}.`
          : "There was nothing to commit.",
    ...(typeof result["leftOut"] === "string" ? [result["leftOut"]] : []),
  ].join(" ");
}
