import { type FailedCommand, howItEnded } from "../conversation/command-failure.ts";

/** A setup or acceptance command that was run once as a trial, on a worktree without an agent's changes. */
export interface TriedCommand extends FailedCommand {
  readonly kind: "setup" | "acceptance";
  readonly durationMs: number;
  /** Hosts that the command requested from the proxy and that are not allowed. */
  readonly refusedHosts: readonly string[];
  /** Why the command did not get what it may reach, in sentences. */
  readonly refusals: readonly string[];
  /** Why the command did not run, such as a service that was not ready. */
  readonly notRun?: TriedFault;
}

/** What is wrong, and what to do: a sentence each, without its full stop. */
export interface TriedFault {
  readonly what: string;
  readonly next: string;
}

const LAST_CHARACTERS = 200;

/** How shells, env and make report a missing program. */
const NO_PROGRAM = [
  /(?:^|: )([\w.+-]+): (?:command )?not found$/m,
  /env: [‘'"]?([\w.+-]+)[’'"]?: No such file or directory/,
  /^make(?:\[\d+\])?: ([\w.+-]+): No such file or directory$/m,
];
/** How programs report that a name does not resolve, as happens without a network. */
const NO_HOST = [
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w-]+(?:\.[\w-]+)+)/,
  /(?:[Cc]ould not resolve host:?|Failed to resolve|dial tcp: lookup) '?([\w-]+(?:\.[\w-]+)+)/,
];

/** Returns why the command fails, and what to do; null when it worked. */
export function triedFault(tried: TriedCommand): TriedFault | null {
  if (tried.exitCode === 0) return null;
  if (tried.notRun !== undefined) return tried.notRun;
  return knownCause(tried) ?? unknownCause(tried);
}

const named = ({ kind, command }: TriedCommand) => `the ${kind} command \`${command}\``;

/** Returns what a command that failed lacks, and how it gets that; null when its result does not say. */
export function knownCause(tried: TriedCommand): TriedFault | null {
  const which = named(tried);
  const program = found(NO_PROGRAM, tried.output);
  if (program !== undefined)
    return {
      what: `${which} does not find ${program}`,
      next: `Install ${program} where Flotilla runs, in a container by an image of your own (docs/deploy.md, "The tools of your language"); or have a command of setup.commands install it in the worktree`,
    };
  const [refusal] = tried.refusals;
  if (refusal !== undefined)
    return {
      what: `${which} did not get what it may reach`,
      next: refusal.replace(/\.$/, ""),
    };
  const host = tried.refusedHosts[0] ?? found(NO_HOST, tried.output);
  if (host !== undefined)
    return {
      what: `${which} asks for ${host}, which it may not reach`,
      next:
        tried.kind === "setup"
          ? `Add ${host} to setup.network`
          : `Have setup.commands fetch it, or open ${host} by sandbox.network: proxy and sandbox.allow_hosts, for agents too`,
    };
  return null;
}

function unknownCause(tried: TriedCommand): TriedFault {
  const last = tried.output
    .trim()
    .replace(/^[^]*\n/, "")
    .trim()
    .slice(-LAST_CHARACTERS);
  return {
    what: `${named(tried)} fails on the default branch (${howItEnded(tried)})${last === "" ? "" : `; it ended with: ${last}`}`,
    next: tried.timedOut
      ? "Raise evidence.timeout, or have it do less"
      : "No agent can show that its work is done while this fails: fix the command or the branch",
  };
}

function found(patterns: readonly RegExp[], output: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(output)?.[1]).find((one) => one !== undefined);
}
