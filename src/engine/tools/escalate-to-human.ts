import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { recordIntent } from "./record-intent.ts";

export const escalateToHuman = defineTool({
  name: "escalate_to_human",
  description:
    "Ask a person to act when you cannot or must not continue: a decision that is not yours, missing access, contradicting or unsafe requirements, a broken environment. The issue is marked, and you continue from the answer in this conversation. Ends your turn.",
  purpose: "ask a person to act",
  schema: z.strictObject({
    reason: text(2000, "What stands in the way, and what you tried"),
    category: text(
      64,
      "One or two words for the kind of trouble, such as decision, requirements, access, environment, security",
    ),
    question: text(2000, "The one question whose answer lets you continue, if there is one").optional(),
  }),
  kind: "report",
  terminal: true,
  sanitize: {
    reason: sanitizers.markdown,
    category: sanitizers.name,
    question: sanitizers.markdown,
  },
  run: ({ reason, category, question }, given) =>
    recordIntent(given, { kind: "escalate_to_human", reason, category, question: question ?? null }),
});
