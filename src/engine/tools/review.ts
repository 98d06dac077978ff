import { z } from "zod";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";

/** How a reviewer ends its work. */
export const reviewTools = [
  defineTool({
    name: "submit_verdict",
    description:
      "Say whether the commit under review does what its issue asks. Only for a reviewer, once. A rejection wakes the author with your words, so say what breaks and what would be right. Ends your turn.",
    schema: z.strictObject({
      commit: z
        .string()
        .trim()
        .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
        .describe("The commit that you reviewed, in full"),
      verdict: z.enum(["approve", "reject"]).describe("reject only for what breaks, misleads or is missing"),
      body: text(
        10_000,
        "Markdown: what you found, the gravest first, or what you checked; reasons for a rejection",
      ),
      comments: z
        .array(
          z.strictObject({
            path: text(4096, "File, relative to the repository"),
            line: z
              .int()
              .min(1)
              .describe("Line of the file as it is now; left out: the whole file")
              .nullish(),
            body: text(
              2000,
              "What is wrong there and what would be right; begin with nit: what need not be changed",
            ),
          }),
        )
        .max(50)
        .describe("Remarks on files of the change; left out: none")
        .optional(),
      evidence: z
        .array(text(1000, "A command as you ran it"))
        .min(1)
        .max(20)
        .describe("Commands that you ran yourself in this review and rest on; at least one"),
    }),
    terminal: true,
    run: ({ comments, ...given }, host) =>
      host.submitVerdict({
        ...given,
        comments: (comments ?? []).map(({ line, ...comment }) => ({ ...comment, line: line ?? null })),
      }),
  }),
] as const;
