import { z } from "zod";
import { EVALUATION_TOOL } from "../../domain/sessions/tool-names.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";

/** How an evaluator says what it thinks of a claim; no other role has it. */
export const evaluationTools = [
  defineTool({
    name: EVALUATION_TOOL,
    description:
      "Say how sure you are that the commit does what its issue asks, and why. Only for an evaluator. Ends your turn.",
    schema: z.strictObject({
      confidence: z
        .number()
        .min(0)
        .max(1)
        .describe("0: surely not done, or surely wrong; 1: surely all of it, and right"),
      reason: text(4000, "What you checked, and all that stands against it, with file and line"),
    }),
    terminal: true,
    run: ({ confidence, reason }, host) => host.submitEvaluation({ confidence, reason }),
  }),
] as const;
