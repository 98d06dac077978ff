import { z } from "zod";
import { LEFT_OUT_REASONS, type LeftOut, type Measure, type TrialCase, type TrialRun } from "./trial-case.ts";

/** The version of the file's format. Another one is refused, and not guessed at. */
export const TRIAL_VERSION = 1;

/** An agent with a model, which a trial compares with others. */
export interface TrialArm {
  /** The name of a runtime. */
  readonly agent: string;
  /** As it is written in the configuration: `<provider>/<model>`, or a model. */
  readonly model: string;
}

const arm = { agent: z.string().min(1), model: z.string().min(1) };
const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const issue = z.int().positive();
const dollars = z.number().min(0);
const names = z.array(z.string()).readonly().nullable();

const trialCase: z.ZodType<TrialCase> = z.strictObject({
  issue,
  title: z.string(),
  body: z.string(),
  author: z.string(),
  comments: z
    .array(z.strictObject({ author: z.string(), body: z.string(), at: z.string() }).readonly())
    .readonly(),
  pull: issue,
  base: commit,
  change: commit,
  tests: z.array(z.string()).readonly(),
});

const measure: z.ZodType<Measure> = z.strictObject({ mended: names, kept: names });

const leftOut: z.ZodType<LeftOut> = z.strictObject({
  issue,
  reason: z.enum(LEFT_OUT_REASONS),
  detail: z.string(),
});

const attempt = { issue, ...arm, attempt: z.int().min(1) };

const counts = {
  end: z.enum(["completed", "escalated", "failed", "out_of_budget"]),
  turns: z.int().min(0),
  tokensIn: z.int().min(0),
  tokensOut: z.int().min(0),
  cost: dollars,
  seconds: z.number().min(0),
  head: commit.nullable(),
};

const run: z.ZodType<TrialRun> = z.strictObject({
  ...attempt,
  ...counts,
  solved: z.boolean(),
  broken: z.int().min(0).nullable(),
});

/** What an agent did on a case, before it is judged; the reason says why it ended, for people. */
const work = z.strictObject({ ...counts, reason: z.string() });
export type Work = Readonly<z.output<typeof work>>;

/** What a trial is about. Two trials with the same of it can go on from one another's file. */
const trialAims = z.strictObject({
  repository: z.string(),
  arms: z.array(z.strictObject(arm).readonly()).min(1).readonly(),
  role: z.string(),
  /** Changes with the role's prompt, tools and limits. */
  roleDigest: z.string(),
  setup: z.array(z.string()).readonly(),
  tests: z.array(z.string()).min(1).readonly(),
});
export type TrialAims = z.output<typeof trialAims>;

const trialLine = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("trial"),
    version: z.literal(TRIAL_VERSION),
    at: z.iso.datetime(),
    aims: trialAims,
  }),
  /** A case that measures, with the real change as a diff. */
  z.strictObject({ kind: z.literal("case"), case: trialCase, measure, diff: z.string() }),
  z.strictObject({ kind: z.literal("left_out"), leftOut }),
  /** So many cases were asked for, and they are there, or the repository has no more. */
  z.strictObject({ kind: z.literal("chosen"), issues: z.int().min(1) }),
  z.strictObject({ kind: z.literal("started"), ...attempt }),
  /** An attempt that was interrupted, with what it had cost by then. */
  z.strictObject({ kind: z.literal("interrupted"), ...attempt, cost: dollars }),
  /** The agent's work has ended, and is paid; what remains is to judge it. */
  z.strictObject({ kind: z.literal("worked"), ...attempt, work }),
  /** A judged run with its diff, why it ended, and the end of the output of the tests. */
  z.strictObject({
    kind: z.literal("run"),
    run,
    diff: z.string(),
    reason: z.string(),
    output: z.string(),
  }),
]);

/** One fact of a trial: a line of its file. */
export type TrialLine = z.output<typeof trialLine>;
export type TrialLineOf<K extends TrialLine["kind"]> = Extract<TrialLine, { readonly kind: K }>;

/** Reads a line; throws with what is wrong with it. */
export function readTrialLine(text: string): TrialLine {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("is no JSON");
  }
  const read = trialLine.safeParse(json);
  if (read.success) return read.data;
  const version = z.object({ kind: z.literal("trial"), version: z.int() }).safeParse(json);
  if (version.success && version.data.version !== TRIAL_VERSION)
    throw new Error(
      `has version ${version.data.version} of the format, and this Flotilla reads version ${TRIAL_VERSION}`,
    );
  throw new Error(z.prettifyError(read.error).replaceAll(/\s+/g, " "));
}
