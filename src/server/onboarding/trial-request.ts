import { z } from "zod";
import type { ProposalTrial } from "../../domain/onboarding/trial.ts";

/** What a request of the control socket may hold: less than its body, and more than the pull request shows. */
const COMMANDS = 30;
const COMMAND = 4_000;
const OUTPUT = 2_000;
const WORDS = 500;
const REFUSED = 10;

const words = z.string().max(WORDS);

const triedSchema = z.strictObject({
  kind: z.enum(["setup", "acceptance"]),
  /** Only found again among the commands that are proposed, and never shown. */
  command: z.string().max(COMMAND),
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number().nonnegative(),
  output: z.string().max(OUTPUT),
  refusedHosts: z.array(words).max(REFUSED),
  refusals: z.array(words).max(REFUSED),
  notRun: z.strictObject({ what: words, next: words }).exactOptional(),
});

/** What a request says of trying the commands. */
export const trialSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("skipped") }),
  z.strictObject({ kind: z.literal("hindered"), why: words }),
  z.strictObject({ kind: z.literal("tried"), commands: z.array(triedSchema).max(COMMANDS) }),
]);

/** Returns the trial within the bounds of `trialSchema`: the ends of outputs, the beginnings of all else. */
export function boundedTrial(trial: ProposalTrial): ProposalTrial {
  if (trial.kind === "skipped") return trial;
  if (trial.kind === "hindered") return { ...trial, why: cut(trial.why) };
  const commands = trial.commands.slice(0, COMMANDS).map(({ notRun, ...tried }) => ({
    ...tried,
    command: tried.command.slice(0, COMMAND),
    output: tried.exitCode === 0 ? "" : tried.output.trimEnd().slice(-OUTPUT),
    refusedHosts: tried.refusedHosts.slice(0, REFUSED).map(cut),
    refusals: tried.refusals.slice(0, REFUSED).map(cut),
    ...(notRun === undefined ? {} : { notRun: { what: cut(notRun.what), next: cut(notRun.next) } }),
  }));
  return { kind: "tried", commands };
}

const cut = (text: string) => text.slice(0, WORDS);
