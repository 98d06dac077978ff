import type { TriedCommand } from "../commands/tried-command.ts";
import { howItEnded } from "../conversation/command-failure.ts";
import type { Settings } from "../settings/settings.ts";
import type { SeenCommand } from "./repository-top.ts";
import { type SeenRepository, setupTakesEffect } from "./seen-repository.ts";

/** What became of trying the commands before they are proposed. */
export type ProposalTrial =
  | { readonly kind: "skipped" }
  /** None could be run. `why` is a sentence without its full stop. */
  | { readonly kind: "hindered"; readonly why: string }
  | { readonly kind: "tried"; readonly commands: readonly TriedCommand[] };

type Work = Pick<Settings, "setup" | "evidence">;

/** A command that holds once the file is merged. */
export interface WorkCommand extends Pick<TriedCommand, "kind" | "command"> {
  /** The operator configured it; the repository suggests the others. */
  readonly ofOperator: boolean;
}

/** Returns the commands that hold once the file is merged, in the order in which they run. */
export function workCommands(settings: Work, seen: SeenRepository): readonly WorkCommand[] {
  const { setup, evidence } = settings;
  const setupSeen = setupTakesEffect(settings, seen) ? seen.setup : [];
  return [
    ...setup.commands.map(ofOperator("setup")),
    ...setupSeen.map(suggested("setup")),
    ...evidence.commands.map(ofOperator("acceptance")),
    ...(evidence.commands.length > 0 ? [] : seen.run.map(suggested("acceptance"))),
  ];
}

const ofOperator =
  (kind: WorkCommand["kind"]) =>
  (command: string): WorkCommand => ({ kind, command, ofOperator: true });

const suggested =
  (kind: WorkCommand["kind"]) =>
  ({ command }: SeenCommand): WorkCommand => ({ kind, command, ofOperator: false });

/** Returns how a command ended in the trial; undefined where it was not run. Only its own text finds it. */
export function triedAs(
  commands: readonly TriedCommand[],
  { kind, command }: Pick<WorkCommand, "kind" | "command">,
): TriedCommand | undefined {
  return commands.find((one) => one.kind === kind && one.command === command);
}

/** Returns how a command of the trial ended, in a few words. */
export function trialResult(tried: TriedCommand | undefined): string {
  if (tried === undefined) return "not run, as the trial ended before it";
  if (tried.exitCode === 0) return "succeeded";
  if (tried.notRun !== undefined) return "could not run";
  return `failed (${howItEnded(tried)})`;
}

/** Marks those suggested commands that would take effect and did not succeed in the trial. */
export function afterTrial(settings: Work, seen: SeenRepository, trial: ProposalTrial): SeenRepository {
  if (trial.kind !== "tried") return seen;
  const marked =
    (kind: WorkCommand["kind"]) =>
    <T extends SeenCommand>(one: T): T => {
      const tried = triedAs(trial.commands, { kind, command: one.command });
      return tried?.exitCode === 0 ? one : { ...one, inTrial: trialResult(tried) };
    };
  return {
    ...seen,
    setup: setupTakesEffect(settings, seen) ? seen.setup.map(marked("setup")) : seen.setup,
    run: settings.evidence.commands.length > 0 ? seen.run : seen.run.map(marked("acceptance")),
  };
}

/** Returns true for a command that the proposed file sets: it succeeded, or nothing was tried. */
export const isInForce = ({ inTrial }: SeenCommand): boolean => inTrial === undefined;
