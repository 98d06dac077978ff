import type { Redact } from "../../domain/access/redact.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";

/** What the settings say of where the database is. */
export interface DatabasePlace {
  /** Absolute. */
  readonly dataDir: string;
}

/** What can be done with a whole database; each kind of database is a folder that makes one of these. */
export interface Database {
  /** As `flotilla support` calls it. */
  readonly kind: string;
  /** Where it is, for people. */
  readonly at: string;
  /** Names of its files in the data directory; there may be none. */
  readonly files: readonly string[];
  /** Whether there is one. Opening makes one. */
  exists(): boolean;
  /** Claims it and the data directory for this process. Throws `StartupRefused` when another process has them. */
  lock(): DatabaseLock;
  /** Who has claimed them, as ` (pid N, started T)` or an empty text; undefined when nobody has. */
  holder(): string | undefined;
  /**
   * Opens it, or makes it, and brings it to the present form. Throws `StartupRefused`, saying what to do, when it cannot be
   * opened safely. It must be locked before.
   */
  open(options: OpenOptions): Promise<OpenStore>;
  /** Opens what exists, beside a serving process, without changing anything in it, its form included. */
  openReadOnly(): ReadOnlyStore;
  /** Why this version cannot read it, and what to do. Undefined where it can, or where it is no database. */
  schemaFault(): { readonly what: string; readonly next: string } | undefined;
  /** Why it cannot be read, from an error of its reading, and what to do. Undefined for an error of something else. */
  readingFault(error: unknown): { readonly what: string; readonly next: string } | undefined;
  /** What is damaged in it; empty when it is whole. Only reads, also beside a serving process. */
  damage(): readonly string[];
  /** Why a commit here would not survive a power loss, each with what to do. Tries it, and leaves nothing behind. */
  durabilityFaults(): readonly string[];
  /**
   * Copies it beside a serving process into a directory that has none, so that the directory can be a data directory. What
   * the copy had not done looks for itself first. `now`: milliseconds since the epoch.
   */
  copyTo(directory: string, now: number): Promise<StoreCopy>;
  /** What it says of how it came to where it is. Only reads, also beside a serving process. */
  supportRows(options: SupportOptions): SupportRows;
  /** Bytes by what takes them, beside those that the table of the backlog counts. */
  sizes(): Readonly<Record<string, number>>;
}

export interface DatabaseLock {
  release(): void;
}

export interface OpenOptions {
  /** Takes secrets out of all that is written but the webhooks themselves, which are kept as they came. */
  readonly redact?: Redact | undefined;
  readonly crashPoint?: AtCrashPoint;
}

/** What the rules of the lifecycles say of a database. */
interface Checked {
  /** Everything in it that the lifecycles forbid, `now` in milliseconds since the epoch; empty when all is well. */
  checkInvariants(now: number): Promise<readonly Violation[]>;
}

export interface OpenStore extends Store, Checked {}

/** For reading beside the serving process: the database refuses every write. */
export interface ReadOnlyStore extends Tables, Checked {
  close(): Promise<void>;
}

/** What a copy came to. */
export interface StoreCopy {
  readonly bytes: number;
  /** Deliveries that stood only in the inbox's journal, or in both. */
  readonly fromJournal: number;
  /** What is damaged in the copy; empty when it is whole. */
  readonly damage: readonly string[];
  /** Broken rules of the lifecycles. */
  readonly violations: readonly Violation[];
}

export interface SupportOptions {
  /** Rows of each table. */
  readonly newest: number;
  /** With what people, models or GitHub wrote at length. */
  readonly bodies: boolean;
}

export interface SupportRows {
  /** Statements that make it. */
  readonly schema: readonly string[];
  /** Of the database's program. */
  readonly version: string;
  /** By table: how many rows there are, and the newest of them, newest first. */
  readonly tables: ReadonlyMap<
    string,
    { readonly count: number; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  >;
}
