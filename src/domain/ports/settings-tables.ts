import type { ProviderPark } from "../breakers/provider-breaker.ts";
import type { Scope, ScopeHolder, ScopePauseRow } from "../breakers/scope.ts";
import type { RepositoryOverride } from "../settings/repository-override.ts";

/** Scopes in which nothing starts or wakes. */
export interface ScopePauseTable {
  /** False when the holder has already paused the scope. */
  add(pause: Omit<ScopePauseRow, "id">): Promise<boolean>;
  /** Returns false when there was none. */
  lift(scope: Scope, holder: ScopeHolder): Promise<boolean>;
  /** Returns the pauses that hold the agents of a repository, oldest first. */
  over(repositoryId: number): Promise<readonly ScopePauseRow[]>;
  list(): Promise<readonly ScopePauseRow[]>;
}

/** At most one row for each account. */
export interface ProviderParkTable {
  get(account: string): Promise<ProviderPark | undefined>;
  put(park: ProviderPark): Promise<void>;
}

/** Holds the sign-ins to the page that were signed out: their cookies are no longer valid. */
export interface SignOutTable {
  /** Adds a sign-in until it would have expired, and deletes those that expired before `now`. Milliseconds. */
  add(signIn: string, times: { readonly until: number; readonly now: number }): Promise<void>;
  has(signIn: string): Promise<boolean>;
}

/**
 * Holds secrets that Flotilla made and that all processes on the database share: `marker` signs the marks in our
 * comments. No list, bundle or log shows them.
 */
export interface KeptSecretTable {
  /** Returns the secret that is kept; undefined where there is none. */
  get(name: "marker"): Promise<string | undefined>;
  /**
   * Keeps a secret where none is kept; returns the one that is kept now. What would be redacted is kept as the text that
   * stands in its place.
   */
  keep(name: "marker", secret: string): Promise<string>;
}

/** The last reading of a repository's own file. */
export interface RepositoryFileRow {
  readonly repositoryId: number;
  /** Identifies the content of the directory entries that were read; empty where there was no file. */
  readonly fingerprint: string;
  /** The last one without a fault; null where there was none. */
  readonly override: RepositoryOverride | null;
  /** Fingerprint of the content that `override` came from. */
  readonly source: string | null;
  /** Faults of the last reading; empty where it is in force. */
  readonly faults: readonly string[];
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

export interface RepositoryFileTable {
  put(row: RepositoryFileRow): Promise<void>;
  get(repositoryId: number): Promise<RepositoryFileRow | undefined>;
  all(): Promise<readonly RepositoryFileRow[]>;
}

/** Rows that break one rule of the lifecycles. */
export interface Violation {
  readonly rule: string;
  readonly table: "agent" | "task" | "effect";
  readonly ids: readonly number[];
}

export interface Invariants {
  /** Returns every violation, with the ids of its rows; `now` in milliseconds since the epoch. Changes nothing. */
  checkInvariants(now: number): Promise<readonly Violation[]>;
}
