import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { EVALUATION_TOOL } from "../../domain/sessions/tool-names.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";

/** Submits an evaluator's evaluation of a claim; no other role has this tool. */
export const submitEvaluation = defineTool({
  name: EVALUATION_TOOL,
  description:
    "Say how sure you are that the commit does what its issue asks, and why. Only for an evaluator. Ends your turn.",
  purpose: "say how sure an evaluator is of a claim; only an evaluator has it, and you do not list it",
  schema: z.strictObject({
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe("0: surely not done, or surely wrong; 1: surely all of it, and right"),
    reason: text(4000, "What you checked, and all that stands against it, with file and line"),
  }),
  kind: "note",
  terminal: true,
  sanitize: { reason: sanitizers.markdown },
  run: async (evaluation, { keepEvaluation }) =>
    keepEvaluation === null
      ? toolRefusal("Only an evaluator is asked for this.")
      : keepEvaluation(evaluation),
});
