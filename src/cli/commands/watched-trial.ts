import { mkdir } from "node:fs/promises";
import { triedLines } from "../../domain/commands/trial-text.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { CommandContext } from "../command.ts";
import { working } from "../progress.ts";
import { sayer } from "../sayer.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { whileWaiting } from "../while-waiting.ts";
import { runTrial, type Trial, type TrialOutcome } from "./try-commands.ts";

/**
 * Runs the commands of these settings and prints how each ends. Ctrl-C ends the one that runs, and leaves nothing:
 * `stopped`.
 */
export async function watchedTrial(
  context: CommandContext,
  trial: Omit<Trial, "watch" | "signal">,
  repository: RepositoryRef,
  settings: Settings,
): Promise<{ readonly outcome: TrialOutcome; readonly stopped: boolean }> {
  const { config } = trial;
  const say = sayer(context);
  return untilInterrupted(async (signal) => {
    const watch: Trial["watch"] = async ({ kind, command }, running) => {
      say(`${kind}: ${command}`);
      const waited = { what: command, withinMs: settings.evidence.timeoutMs, clock: systemClock };
      const tried = await working(command, (progress) => whileWaiting(running, progress, waited));
      if (!signal.aborted) for (const line of triedLines(tried, config.setup)) say(line);
    };
    await mkdir(config.environment.dataDir, { recursive: true, mode: 0o700 });
    const outcome = await runTrial({ ...trial, watch, signal }, repository, settings);
    return { outcome, stopped: signal.aborted };
  });
}
