import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";
import { labelsFor, leftOut, toldLeftOut } from "./repository-labels.ts";

export const label = defineTool({
  name: "label",
  description: "Put a label that the repository has on your issue. A label can start another agent's work.",
  purpose: "add a label that the repository has to the agent's issue",
  schema: z.strictObject({ name: text(50, "Name of the label") }),
  kind: "write",
  terminal: false,
  sanitize: { name: sanitizers.name },
  run: async ({ name }, given) => {
    const known = await labelsFor([name], given);
    if ("fault" in known) return toolRefusal(known.fault);
    const labels = [...known.labels];
    return queueOutput(given, {
      effect: () => ({ kind: "add_labels", labels, existing: true }),
      refusal: () => null,
      done: (result) => toldLeftOut(leftOut(labels, result)) || "Done.",
    });
  },
});
