import { inlineCode } from "../messages/inline-code.ts";
import { permitHostText } from "../settings/permitted-setup.ts";
import type { Settings } from "../settings/settings.ts";
import { endOfOutput, type FailedCommand, howItEnded } from "./command-failure.ts";
import { untrusted } from "./untrusted.ts";

interface FailedSetup extends FailedCommand {
  /** Hosts that Flotilla's proxy refused to the command. */
  readonly refusedHosts: readonly string[];
  /** Why the command did not get what it may reach, in sentences. */
  readonly refusals: readonly string[];
}

/** Returns why a person is asked when a worktree could not be prepared. */
export function setupReason(failed: FailedCommand): string {
  return `its worktree could not be prepared: the setup command \`${failed.command}\` failed (${howItEnded(failed)})`;
}

/** `setup` = the operator's. */
export function setupQuestion(failed: FailedSetup, setup: Settings["setup"]): string {
  return paragraphs([
    "Please fix `setup.commands` in `.github/flotilla.yml` or in the operator's configuration, or what the command needs. Then say `/flotilla resume`.",
    ...failed.refusedHosts.map((host) => permitHostText(setup, host)),
    ...failed.refusals,
    endOfOutput(failed),
  ]);
}

/**
 * Returns the message to the model that dependencies could not be installed after a lock file or the setup changed.
 */
export function setupFailureMessage(failed: FailedSetup): string {
  return paragraphs([
    `A lock file or the repository's setup changed, and the setup command \`${failed.command}\` then failed (${howItEnded(failed)}). If you changed a lock file, fix it before you report.`,
    ...refusedLines(failed),
    untrusted(endOfOutput(failed)),
  ]);
}

/** Returns the output of a command, followed by what it did not get from the network, as the evidence keeps it. */
export function outputWithRefusals(result: Refused & Pick<FailedSetup, "output">): string {
  const refused = refusedLines(result);
  return refused.length === 0 ? result.output : [result.output.trimEnd(), ...refused].join("\n").trimStart();
}

type Refused = Pick<FailedSetup, "refusedHosts" | "refusals">;

function refusedLines({ refusedHosts, refusals }: Refused): readonly string[] {
  return refusedHosts.length === 0 ? refusals : [refusedHostsLine(refusedHosts), ...refusals];
}

function refusedHostsLine(refusedHosts: readonly string[]): string {
  return `Flotilla's proxy refused ${refusedHosts.map((host) => inlineCode(host)).join(", ")}: only the hosts of setup.network are permitted.`;
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
