import type { Redact } from "../../domain/access/redact.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import type { TableReader } from "./copy/copy-tables.ts";

/** What says where a database is. */
export interface DatabaseSettings {
  /** The environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute; worktrees, mirrors and sessions lie there too. */
  readonly dataDir: string;
}

/** A kind of database: a folder with a row in `registry.ts`. */
export interface DatabaseEntry {
  /** The name of the folder, which `flotilla support` prints. */
  readonly name: string;
  /** The environment variables that only this kind reads, each with its meaning for the page about the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** The variable with the address of a server's database, and an example of one; undefined for a file. */
  readonly address?: { readonly variable: string; readonly example: string };
  /** Returns the passwords in the environment, in each form in which an error could quote them. */
  readonly secretsIn: (variables: DatabaseSettings["variables"]) => readonly string[];
  /**
   * Returns access to the database that the settings name; opens nothing. Undefined where they name no database of this
   * kind.
   */
  readonly databaseIn: (settings: DatabaseSettings) => Database | undefined;
}

/** A whole database, as opposed to its tables. */
export interface Database {
  /** The kind's name. */
  readonly kind: string;
  /** Where the database is, for people; without a password. */
  readonly at: string;
  /**
   * Who may use the database at once. Where one process may, all that is under way when it starts was left by an
   * earlier one; where several nodes may, only what is of its own node.
   */
  readonly usedBy: "one_process" | "several_nodes";
  /** The highest schema number that this version knows. */
  readonly reads: number;
  /** Absolute paths of the database's files on this machine; may be empty. */
  readonly files: readonly string[];
  /** Returns whether the database exists; `open` creates a missing one. */
  exists(): Promise<boolean>;
  /**
   * Opens or creates the database and migrates it to this version's schema; requires the lock of the data directory.
   * Throws `StartupRefused`, with what to do, when opening is not safe.
   */
  open(options: OpenOptions): Promise<OpenStore>;
  /** Opens an existing database beside a serving process without changing anything, the schema included. */
  openReadOnly(): Promise<ReadOnlyStore>;
  /** Returns why this version cannot read the database. Undefined where it can, or for a file that is no database. */
  schemaFault(): Promise<Fault | undefined>;
  /** Returns why reading failed. Undefined for an error that has another cause. */
  readingFault(error: unknown): Fault | undefined;
  /** Returns what is damaged; empty for a whole database. Only reads, also beside a serving process. */
  damage(): Promise<readonly string[]>;
  /** Returns why a commit would not survive a power loss. Tries it, and leaves nothing behind. */
  durabilityFaults(): Promise<readonly LocatedFault[]>;
  /**
   * Copies the database beside a serving process into the file of another data directory, which does not exist yet.
   * The copy's pending effects check first whether they were done. `now`: milliseconds since the epoch.
   */
  copyTo(copy: Database, now: number): Promise<StoreCopy>;
  /** Gives `work` all rows as they are at one moment, beside a serving process. */
  snapshot<T>(work: (rows: TableReader) => Promise<T>): Promise<T>;
  /**
   * Fills this database, which must hold no rows yet, with those of another one, in one transaction; creates it where it
   * is missing. Returns the number of rows of each table. Throws `OutsideError` where it holds rows. `copiedAt`: marks it
   * as a copy, as `copyTo` does.
   */
  fillFrom(rows: TableReader, copiedAt?: number): Promise<ReadonlyMap<string, number>>;
  /**
   * Returns the rows that explain how the database reached its state. Only reads, also beside a serving
   * process.
   */
  supportRows(options: SupportOptions): Promise<SupportRows>;
  /** Returns bytes by part, in addition to those that the backlog table counts. */
  sizes(): Promise<Readonly<Record<string, number>>>;
}

/** What is wrong, and what to do. */
export interface Fault {
  readonly what: string;
  readonly next: string;
}

export interface LocatedFault extends Fault {
  /** What has the fault. */
  readonly about: string;
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

export interface OpenStore extends Store, Checked {
  readonly changes: Changes;
}

/**
 * By this the processes on one database wake each other. A message may be late or lost: each process also looks by
 * itself.
 */
export interface Changes {
  /** Tells the other processes, soon, that something is there for them; call it after the commit. Never throws. */
  tell(): void;
  /** Listens until the store is closed; call it once. */
  listen(listener: ChangeListener): void;
}

export interface ChangeListener {
  /** Another process has told, or may have while nobody listened here. */
  readonly told: () => void;
  /** Nothing is heard any more, until `back` is called. */
  readonly lost: (error: unknown) => void;
  /** Called before the first `told` after a loss. */
  readonly back: () => void;
}

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
