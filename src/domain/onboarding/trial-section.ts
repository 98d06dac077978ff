import { refusedText } from "../commands/trial-text.ts";
import { knownCause, type TriedCommand } from "../commands/tried-command.ts";
import { duration, fenced } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { safeLine } from "../safe-text/inline.ts";
import type { Settings } from "../settings/settings.ts";
import type { SeenRepository } from "./seen-repository.ts";
import { type ProposalTrial, trialResult, triedAs, type WorkCommand, workCommands } from "./trial.ts";

/** Characters of outputs in one text, and of one output. */
const OUTPUTS = 12_000;
const OUTPUT = 2_000;
/** Characters of a sentence. A longer one is cut. */
const SENTENCE = 500;
/** Commands that are told with the end of their output, and hosts and reasons of each. */
const FAILED = 8;
const REFUSED = 3;

/**
 * Returns what was tried before the file was proposed, and how to try it again; null where there is no command. Of the
 * trial nothing is taken but results, and what it printed is made harmless.
 */
export function trialSection({
  settings,
  seen,
  repository,
  trial,
}: {
  readonly settings: Pick<Settings, "setup" | "evidence">;
  readonly seen: SeenRepository;
  readonly repository: string;
  readonly trial: ProposalTrial;
}): string | null {
  const commands = workCommands(settings, seen);
  if (commands.length === 0) return null;
  const check = `\`flotilla check --repo ${repository}\``;
  if (trial.kind === "skipped")
    return `Nothing: the operator had the commands proposed untried. The operator can try them with ${check}.`;
  if (trial.kind === "hindered")
    return `Nothing, so the commands are proposed as they are: ${sentence(trial.why)}. Once that is fixed, the operator can try them with ${check}.`;
  const rows = commands.map((command) => ({ ...command, tried: triedAs(trial.commands, command) }));
  const missed = rows.filter(({ tried }) => tried?.exitCode !== 0);
  const failed = missed.flatMap(({ tried }) => tried ?? []);
  const told = failed.slice(0, FAILED);
  const longest = Math.min(OUTPUT, Math.floor(OUTPUTS / Math.max(1, told.length)));
  return [
    "Flotilla ran each command once on a clean checkout of the default branch, as for an agent, before it opened this pull request.",
    ["| command | kind | result | time |", "|---|---|---|---|", ...rows.map(tableRow)].join("\n"),
    ...(missed.length === 0 ? [] : [missedText(missed)]),
    ...told.map((one) => failedText(one, settings.setup, longest)),
    ...(failed.length === told.length
      ? []
      : [`Of ${failed.length - told.length} more that failed, the output is not shown.`]),
    `The operator can try again with ${check}: until this is merged, that tries all the commands above, and afterwards those that the file sets.`,
  ].join("\n\n");
}

type Row = WorkCommand & { readonly tried: TriedCommand | undefined };

const tableRow = ({ kind, command, tried }: Row) =>
  `| ${inlineCode(command)} | ${kind} | ${trialResult(tried)} | ${tried === undefined || tried.notRun !== undefined ? "" : duration(tried.durationMs)} |`;

function missedText(missed: readonly Row[]): string {
  const own = missed.filter(({ ofOperator }) => ofOperator);
  return [
    ...(own.length === missed.length
      ? []
      : [
          "A command that did not succeed is a comment in the file, so merging this holds up no agent. Once it works, remove the `#` before it.",
        ]),
    ...(own.length === 0 ? [] : ["The operator's own commands stay in force all the same."]),
  ].join(" ");
}

function failedText(tried: TriedCommand, setup: Settings["setup"], longest: number): string {
  const { notRun } = tried;
  const head = `**${inlineCode(tried.command)}**`;
  if (notRun !== undefined) return `${head} was not run: ${sentence(notRun.what)}. ${sentence(notRun.next)}.`;
  const hints = hintsOf(tried, setup);
  const output = tried.output.trim().slice(-longest);
  return [
    `${head} failed.${output === "" ? " It printed nothing." : ""}`,
    ...(hints.length === 0 ? [] : [hints.map((hint) => `- ${hint}`).join("\n")]),
    ...(output === ""
      ? []
      : [`<details><summary>The end of its output</summary>\n\n${fenced(output)}\n\n</details>`]),
  ].join("\n\n");
}

function hintsOf(tried: TriedCommand, setup: Settings["setup"]): readonly string[] {
  const refused = [
    ...tried.refusedHosts.map((host) => refusedText(tried, setup, host)),
    ...tried.refusals.map((refusal) => `${sentence(refusal)}.`),
  ];
  if (refused.length > REFUSED)
    return [...refused.slice(0, REFUSED), `and ${refused.length - REFUSED} more were refused`];
  if (refused.length > 0) return refused;
  const cause = knownCause(tried);
  return cause === null ? [] : [`${sentence(cause.next)}.`];
}

/** Cut first: a cut through Markdown changes what it means. */
const sentence = (text: string) =>
  safeLine(text.replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, SENTENCE));
