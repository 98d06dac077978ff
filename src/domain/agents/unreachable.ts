import { backoff } from "../kernel/backoff.ts";
import type { ErrorCode } from "../kernel/error-code.ts";
import { GitError, GitHubError, OutsideError, RuntimeError } from "../kernel/errors.ts";
import type { TransitionRow } from "../kernel/rows.ts";
import type { AgentEvent } from "./agent-event.ts";

/** Pause after the first try, and the longest pause. Milliseconds. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * What is unreachable, by the code of the error. Any other code counts as unreachable only while the error is
 * retryable.
 */
const AWAY: Readonly<Record<string, string>> = {
  network: "GitHub's git server cannot be reached",
  auth_failed: "GitHub's git server refuses the App",
  certificate: "the certificate of GitHub's git server is not trusted",
  repository_not_found: "GitHub's git server does not show the repository to the App",
  base_not_found: "the base branch cannot be found",
  git_missing: "git cannot be run",
  corrupt: "this machine's copy of the repository is damaged",
  disk_full: "the disk is full",
  unwritable: "the data directory cannot be written",
  unavailable: "GitHub cannot be reached",
  malformed: "GitHub cannot be reached",
  forbidden: "GitHub refuses the App",
  unauthorized: "GitHub refuses the App",
  not_found: "GitHub does not show the repository to the App",
  rate_limited: "GitHub's limit is reached",
  start_failed: "the agent runtime cannot be started",
  runtime_gone: "the agent's runtime is gone",
  runtime_missing: "the agent runtime cannot be started",
  open_failed: "the agent's conversation cannot be opened",
  no_credential: "the model provider has no key",
  command_not_started: "a command cannot be started",
  time_limit: "it could not be prepared in time",
};

/** Codes of faults of this machine that the next try cures: nothing is unreachable. */
const OURS: ReadonlySet<string> = new Set(["stale_snapshot", "stopping", "place_taken", "branch_in_use"]);

/** Returns true for an error after which the same step is tried again within the agent's period, a few times. */
export function isOurs(error: unknown): boolean {
  return error instanceof OutsideError && OURS.has(error.code);
}

/**
 * Returns true when something outside was unreachable, which is nobody's failure and may last; false for an error of
 * the agent's or ours.
 */
export function isUnreachable(error: unknown): error is OutsideError {
  if (!(error instanceof OutsideError) || isOurs(error)) return false;
  const passes = error.consequence === "retry" || error.consequence === "park";
  return passes || Object.hasOwn(AWAY, error.code);
}

/** Returns what is unreachable, and the error's own words. */
export function unreachableText({ code, message }: Pick<OutsideError, "code" | "message">): string {
  const what = Object.hasOwn(AWAY, code) ? AWAY[code] : undefined;
  return what === undefined ? message : `${what}: ${message}`;
}

/**
 * Returns the wait of an agent that cannot continue while something outside is unreachable; it counts against no limit.
 * A limit with a known end causes no incident. `tries` = earlier ones in a row; times in milliseconds since the epoch;
 * `idleSince` = when it began to wait.
 */
export function waitsForOutside(
  error: OutsideError,
  wait: {
    readonly at: number;
    readonly tries: number;
    readonly idleSince?: number;
    readonly clean: (text: string) => string;
  },
): Extract<AgentEvent, { type: "WAIT" }> {
  const { at, tries, idleSince } = wait;
  return {
    type: "WAIT",
    at,
    actor: "flotilla",
    reason: error.consequence === "park" ? "provider_limit" : "retry",
    dueAt: error.retryAt ?? at + backoff(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS),
    ...(idleSince === undefined ? {} : { idleSince }),
    crash: false,
    breaker: null,
    detail: wait.clean(unreachableText(error)),
    code: outsideCode(error),
  };
}

/** Returns the code of what was unreachable or refused the work. */
export function outsideCode(error: OutsideError): ErrorCode {
  if (error instanceof GitHubError) return "github_unavailable";
  if (error instanceof GitError) return "git_unavailable";
  return error instanceof RuntimeError ? "runtime_unavailable" : "outside_unavailable";
}

/**
 * Returns how often in a row the run came to `error`; a model step ends the row. `moves` of one agent, oldest first.
 */
export function triesInARow(moves: readonly Pick<TransitionRow, "machine" | "event">[]): number {
  const events = moves.filter(({ machine }) => machine === "run").map(({ event }) => event);
  const last = events.findLastIndex((event) => event !== "ERROR" && event !== "RETRY");
  return events.slice(last + 1).filter((event) => event === "ERROR").length;
}
