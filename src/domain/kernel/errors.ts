/**
 * What follows from an error, decided once where it is first caught: retry = the same act again later; park = no tries
 * until `retryAt`, nothing counted; tell = a person must know and act; stop = this act will never succeed.
 */
export type Consequence = "retry" | "park" | "tell" | "stop";

/** Base of every error that crosses from an adapter into the engine. `advice` tells the operator what to do next. */
export class OutsideError extends Error {
  override readonly name: string = "OutsideError";
  readonly code: string;
  readonly consequence: Consequence;
  /** True when the act may have succeeded although it failed for us: check before acting again. */
  readonly uncertain: boolean;
  /** Milliseconds since the epoch before which a new try is pointless. */
  readonly retryAt: number | undefined;
  readonly advice: string | undefined;

  constructor(
    code: string,
    message: string,
    options: {
      consequence: Consequence;
      uncertain?: boolean;
      retryAt?: number | undefined;
      advice?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.consequence = options.consequence;
    this.uncertain = options.uncertain ?? false;
    this.retryAt = options.retryAt;
    this.advice = options.advice;
  }
}

/** The code of the error for a row that this version cannot have written. */
export const UNREADABLE_ROW = "unreadable_row";

/** GitHub's answer, or its absence, in our terms. `status` is the HTTP status, 0 when no answer came. */
export class GitHubError extends OutsideError {
  override readonly name = "GitHubError";
  readonly status: number;
  constructor(
    code:
      | "not_found"
      | "forbidden"
      | "unauthorized"
      | "rate_limited"
      | "invalid"
      | "conflict"
      | "unavailable"
      | "malformed"
      | "unseen"
      | "unsupported",
    message: string,
    status: number,
    options: ConstructorParameters<typeof OutsideError>[2],
  ) {
    super(code, message, options);
    this.status = status;
  }
}

/** A failed git command, classified from its stderr. */
export class GitError extends OutsideError {
  override readonly name = "GitError";
}

/** A failure of the agent runtime or of the model behind it. */
export class RuntimeError extends OutsideError {
  override readonly name = "RuntimeError";
}

/** A snapshot was changed since it was loaded: reload it and decide again. */
export class StaleSnapshot extends OutsideError {
  override readonly name = "StaleSnapshot";
  readonly machine: string;
  constructor(machine: string, id: number) {
    super("stale_snapshot", `${machine} ${id} was changed meanwhile`, { consequence: "retry" });
    this.machine = machine;
  }
}

/**
 * An effect or a delivery was claimed by another after its lease had ended: that one records the outcome, and what
 * this one found out must not be written.
 */
export class LostClaim extends OutsideError {
  override readonly name = "LostClaim";
  constructor(what: string) {
    super("lost_claim", `${what} was claimed by another meanwhile`, { consequence: "stop" });
  }
}

/**
 * The server of the database does not answer. What was being written may have been written. Milliseconds since the
 * epoch: `retryAt`.
 */
export class DatabaseUnreachable extends OutsideError {
  override readonly name = "DatabaseUnreachable";
  constructor(
    message: string,
    options: { readonly retryAt: number; readonly advice: string; readonly cause: unknown },
  ) {
    super("database_unreachable", message, { ...options, consequence: "park", uncertain: true });
  }
}

/** Returns true for an error that a row of the database cannot be read. */
export function isUnreadableRow(error: unknown): boolean {
  return error instanceof OutsideError && error.code === UNREADABLE_ROW;
}

/** Start-up was refused. `faults` are all faults found at once, each a sentence that says what to do. */
export class StartupRefused extends Error {
  override readonly name = "StartupRefused";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** Returns the text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
