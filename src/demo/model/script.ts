import { z } from "zod";

const pattern = z.string().refine(isPattern, "not a valid regular expression");

const step = z.strictObject({
  after: pattern.optional().describe("starts a branch: it is taken when a user message matches"),
  when: pattern
    .optional()
    .describe("an answer out of order: taken whenever the last message matches, without using up its place"),
  say: z.string().optional(),
  call: z
    .array(z.strictObject({ tool: z.string().min(1), args: z.record(z.string(), z.unknown()).default({}) }))
    .optional(),
  error: z
    .strictObject({
      status: z.int().min(400).max(599),
      message: z.string().default("refused by the script"),
      headers: z.record(z.string(), z.string()).default({}),
    })
    .optional(),
  delayMs: z.int().min(0).optional(),
});

/**
 * What a scripted model says, as data. `match` is a regular expression on the system prompt and the first user message;
 * the first conversation that matches is used. Its steps are answered in order, one per request. A step with `after`
 * starts a branch that ends before the next step with `after`. In `say` and in arguments, `{{cwd}}` is replaced by the
 * agent's working directory, `{{commit}}` by the commit that a reviewer is asked about, and `{{fact}}` by the name of the first
 * thing that a retrospective reads of the work.
 */
export const scriptSchema = z.strictObject({
  conversations: z.array(
    z.strictObject({
      match: pattern,
      again: pattern.optional().describe("a user message that matches begins the present branch again"),
      steps: z.array(step),
    }),
  ),
});

export type Script = z.infer<typeof scriptSchema>;
/** A script as written, before defaults are filled in. */
export type ScriptInput = z.input<typeof scriptSchema>;
export type Conversation = Script["conversations"][number];
export type ScriptStep = Conversation["steps"][number];

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "s") instanceof RegExp;
  } catch {
    return false;
  }
}
