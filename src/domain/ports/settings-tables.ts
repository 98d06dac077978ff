import type { ProviderPark } from "../breakers/provider-breaker.ts";
import type { Scope, ScopeHolder, ScopePauseRow } from "../breakers/scope.ts";
import type { RepositoryOverride } from "../settings/repository-override.ts";

/** Scopes in which nothing starts or wakes. */
export interface ScopePauseTable {
  /** False when the holder has paused the scope already. */
  add(pause: Omit<ScopePauseRow, "id">): Promise<boolean>;
  /** Returns false when there was none. */
  lift(scope: Scope, holder: ScopeHolder): Promise<boolean>;
  /** Those that hold the agents of a repository, oldest first. */
  over(repositoryId: number): Promise<readonly ScopePauseRow[]>;
  list(): Promise<readonly ScopePauseRow[]>;
}

/** One row an account at the most. */
export interface ProviderParkTable {
  get(account: string): Promise<ProviderPark | undefined>;
  put(park: ProviderPark): Promise<void>;
}

/** Sessions of browsers that their people ended before their time: such a cookie is good no more. */
export interface SignOutTable {
  /** Kept until the session would have ended by itself; forgets those for which `now` is past that. Milliseconds. */
  add(session: string, times: { readonly until: number; readonly now: number }): Promise<void>;
  has(session: string): Promise<boolean>;
}

/** What was read last of a repository's own file. */
export interface RepositoryFileRow {
  readonly repositoryId: number;
  /** Of the directory entries that were read, and empty where there was no file: another content has another one. */
  readonly fingerprint: string;
  /** The last one without a fault; null where there was none. */
  readonly override: RepositoryOverride | null;
  /** Fingerprint of what the override was read from. */
  readonly source: string | null;
  /** Of what was read last; none where it is in force. */
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
  /** Every violation, with the ids of its rows; for `now` in milliseconds since the epoch. Changes nothing. */
  checkInvariants(now: number): Promise<readonly Violation[]>;
}
