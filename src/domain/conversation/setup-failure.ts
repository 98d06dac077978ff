import { endOfOutput, type FailedCommand, howItEnded } from "./command-failure.ts";
import { untrusted } from "./untrusted.ts";

/** Returns why a person is asked when a worktree could not be prepared. */
export function setupReason(failed: FailedCommand): string {
  return `its worktree could not be prepared: the setup command \`${failed.command}\` failed (${howItEnded(failed)})`;
}

export function setupQuestion(failed: FailedCommand): string {
  return [
    "Please fix `setup.commands` in the configuration, or what the command needs, then resume.",
    endOfOutput(failed),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Returns the message to the model that dependencies could not be installed after a lock file or the environment changed. */
export function setupFailureMessage(failed: FailedCommand): string {
  return [
    `A lock file or an environment variable changed, and the setup command \`${failed.command}\` failed then (${howItEnded(failed)}). If you changed a lock file, put it right before you report.`,
    untrusted(endOfOutput(failed)),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
