import { howItEnded } from "../conversation/command-failure.ts";
import { duration } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { permitHostText } from "../settings/permitted-setup.ts";
import type { Settings } from "../settings/settings.ts";
import { type TriedCommand, triedFault } from "./tried-command.ts";

/** Lines of a command's output that are shown. */
const SHOWN_LINES = 20;

/**
 * Returns how a command of a trial ended, for a person at a terminal: one line; where it failed, also what Flotilla's
 * proxy refused, the end of its output, and what to do. `setup` = the operator's.
 */
export function triedLines(tried: TriedCommand, setup: Settings["setup"]): readonly string[] {
  const fault = triedFault(tried);
  if (fault === null) return [`  succeeded in ${duration(tried.durationMs)}`];
  if (tried.notRun !== undefined) return [`  was not run: ${fault.what}`, `  ${fault.next}.`];
  const output = tried.output.trimEnd();
  return [
    `  failed after ${duration(tried.durationMs)} (${howItEnded(tried)})`,
    ...tried.refusedHosts.map((host) => `  ${refusedText(tried, setup, host)}`),
    ...tried.refusals.map((refusal) => `  ${refusal}`),
    ...(output === "" ? ["  It printed nothing."] : ["  The end of its output:", ...lastLines(output)]),
    `  ${fault.next}.`,
  ];
}

const lastLines = (output: string) =>
  output
    .split("\n")
    .slice(-SHOWN_LINES)
    .map((line) => `    ${line}`);

/** Returns what it takes for a command to reach a host that the proxy refused. `setup` = the operator's. */
export function refusedText(
  { kind }: Pick<TriedCommand, "kind">,
  setup: Settings["setup"],
  host: string,
): string {
  if (kind === "setup") return permitHostText(setup, host);
  return `Flotilla's proxy refused ${inlineCode(host)}: acceptance commands reach only what agents reach, the hosts of \`sandbox.allow_hosts\` with \`sandbox.network: proxy\`.`;
}
