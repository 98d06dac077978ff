import type { Redact } from "../../domain/access/redact.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";

/** The part of the settings that says where the database is. */
export interface DatabasePlace {
  /** Absolute. */
  readonly dataDir: string;
}

/**
 * A whole database, as opposed to its tables. Each kind of database is a folder that implements this
 * interface.
 */
export interface Database {
  /** The kind's name, as `flotilla support` prints it. */
  readonly kind: string;
  /** The database's place, for people. */
  readonly at: string;
  /** The names of the database's files in the data directory; may be empty. */
  readonly files: readonly string[];
  /** Returns whether the database exists; `open` creates a missing one. */
  exists(): boolean;
  /**
   * Claims the database and the data directory for this process. Throws `StartupRefused` when another process
   * holds them.
   */
  lock(): DatabaseLock;
  /**
   * Returns the process that holds the claim, as ` (pid N, started T)` or an empty text; undefined when there
   * is none.
   */
  holder(): string | undefined;
  /**
   * Opens or creates the database and migrates it to this version's schema; requires the lock. Throws
   * `StartupRefused`, with what to do, when opening is not safe.
   */
  open(options: OpenOptions): Promise<OpenStore>;
  /** Opens an existing database beside a serving process without changing anything, the schema included. */
  openReadOnly(): ReadOnlyStore;
  /**
   * Returns why this version cannot read the database, and what to do. Undefined where it can, or for a file
   * that is no database.
   */
  schemaFault(): { readonly what: string; readonly next: string } | undefined;
  /** Returns why reading failed, and what to do. Undefined for an error that has another cause. */
  readingFault(error: unknown): { readonly what: string; readonly next: string } | undefined;
  /** Returns what is damaged; empty for a whole database. Only reads, also beside a serving process. */
  damage(): readonly string[];
  /**
   * Returns why a commit here would not survive a power loss, each with what to do. Tries it, and leaves
   * nothing behind.
   */
  durabilityFaults(): readonly string[];
  /**
   * Copies the database beside a serving process into a directory without one, so that the directory can be a
   * data directory. The copy's pending effects check first whether they were done. `now`: milliseconds since
   * the epoch.
   */
  copyTo(directory: string, now: number): Promise<StoreCopy>;
  /**
   * Returns the rows that explain how the database reached its state. Only reads, also beside a serving
   * process.
   */
  supportRows(options: SupportOptions): SupportRows;
  /** Returns bytes by part, in addition to those that the backlog table counts. */
  sizes(): Readonly<Record<string, number>>;
}

export interface DatabaseLock {
  release(): void;
}

export interface OpenOptions {
  /**
   * Removes secrets from everything that is written, except the webhooks themselves, which are stored as
   * received.
   */
  readonly redact?: Redact | undefined;
  readonly crashPoint?: AtCrashPoint;
}

/** Checks a database against the invariants of the lifecycles. */
interface Checked {
  /** Returns every violation, for `now` in milliseconds since the epoch; empty when there is none. */
  checkInvariants(now: number): Promise<readonly Violation[]>;
}

export interface OpenStore extends Store, Checked {}

/** A store for reading beside the serving process: the database refuses every write. */
export interface ReadOnlyStore extends Tables, Checked {
  close(): Promise<void>;
}

/** The result of a copy. */
export interface StoreCopy {
  readonly bytes: number;
  /** The number of deliveries that were in the inbox's journal, whether also in the table or not. */
  readonly fromJournal: number;
  /** Describes damage in the copy; empty when there is none. */
  readonly damage: readonly string[];
  /** Violations of the invariants of the lifecycles. */
  readonly violations: readonly Violation[];
}

export interface SupportOptions {
  /** The number of newest rows to read of each table. */
  readonly newest: number;
  /** Includes the long texts of people, models and GitHub. */
  readonly bodies: boolean;
}

export interface SupportRows {
  /** The SQL statements that create the schema. */
  readonly schema: readonly string[];
  /** The version of the database engine. */
  readonly version: string;
  /** The row count of each table and its newest rows, newest first. */
  readonly tables: ReadonlyMap<
    string,
    { readonly count: number; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  >;
}
