import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { isCategoryLabel } from "../../domain/tasks/escalation.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";

export const label = defineTool({
  name: "label",
  description: "Put a label on your issue. A label can start another agent's work.",
  purpose: "add a label to the agent's issue",
  schema: z.strictObject({ name: text(50, "Name of the label") }),
  kind: "write",
  terminal: false,
  sanitize: { name: sanitizers.name },
  run: ({ name }, given) =>
    queueOutput(given, {
      effect: () => ({ kind: "add_labels", labels: [name] }),
      refusal: ({ settings }) => hostsLabel([name], settings),
      done: () => "Done.",
    }),
});

/** Returns why an agent may not set these labels, or null. Ignores case, as GitHub does. */
export function hostsLabel(labels: readonly string[], { escalation }: Settings): string | null {
  const hosts = labels.find((one) => {
    const name = one.toLowerCase();
    return name === escalation.label.toLowerCase() || name.startsWith("flotilla:") || isCategoryLabel(one);
  });
  return hosts === undefined
    ? null
    : `The label ${hosts} is the host's; use escalate_to_human when a person must act.`;
}
