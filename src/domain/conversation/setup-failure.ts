import { inlineCode } from "../messages/inline-code.ts";
import { permitHostText } from "../settings/permitted-setup.ts";
import type { Settings } from "../settings/settings.ts";
import { endOfOutput, type FailedCommand, howItEnded } from "./command-failure.ts";
import { untrusted } from "./untrusted.ts";

interface FailedSetup extends FailedCommand {
  /** Hosts that Flotilla's proxy refused to the command. */
  readonly refusedHosts: readonly string[];
}

/** Returns why a person is asked when a worktree could not be prepared. */
export function setupReason(failed: FailedCommand): string {
  return `its worktree could not be prepared: the setup command \`${failed.command}\` failed (${howItEnded(failed)})`;
}

/** `setup` = the operator's. */
export function setupQuestion(failed: FailedSetup, setup: Settings["setup"]): string {
  return paragraphs([
    "Please fix `setup.commands` in the configuration or in the repository's own file, or what the command needs, then resume.",
    ...failed.refusedHosts.map((host) => permitHostText(setup, host)),
    endOfOutput(failed),
  ]);
}

/**
 * Returns the message to the model that dependencies could not be installed after a lock file or the setup changed.
 */
export function setupFailureMessage(failed: FailedSetup): string {
  return paragraphs([
    `A lock file or the repository's setup changed, and the setup command \`${failed.command}\` failed then (${howItEnded(failed)}). If you changed a lock file, put it right before you report.`,
    refusedHostsLine(failed),
    untrusted(endOfOutput(failed)),
  ]);
}

/** Returns the output of a command, followed by what Flotilla's proxy refused to it, as the evidence keeps it. */
export function outputWithRefusals(result: Pick<FailedSetup, "output" | "refusedHosts">): string {
  const refused = refusedHostsLine(result);
  return refused === "" ? result.output : `${result.output.trimEnd()}\n${refused}`.trimStart();
}

function refusedHostsLine({ refusedHosts }: Pick<FailedSetup, "refusedHosts">): string {
  if (refusedHosts.length === 0) return "";
  return `Flotilla's proxy refused ${refusedHosts.map((host) => inlineCode(host)).join(", ")}: only the hosts of setup.network are permitted.`;
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
