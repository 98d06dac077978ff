import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { StartupRefused } from "../../../domain/kernel/errors.ts";
import type { Fault } from "../database.ts";
import { migrations } from "./migrations/migrations.ts";
import { lackingParts } from "./schema-parts.ts";

/** "FLOT" in ASCII, which identifies our files. */
export const APPLICATION_ID = 0x464c4f54;
/** The schema number that this version creates and reads. */
const KNOWN = migrations.length;

/**
 * Offsets in SQLite's file format (sqlite.org/fileformat.html), on a first page of at least `BYTES` bytes.
 */
const FORMAT = "SQLite format 3\0";
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const PAGE_TYPE_AT = 100;
const CELL_COUNT_AT = 103;
const BYTES = 108;
const LEAF = 13;

interface Header {
  readonly application: number;
  /** The number of migrations that the database has had. */
  readonly schema: number;
  readonly isEmpty: boolean;
}

/** Returns the number of migrations that the database has had. */
export function schemaOf(database: Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/**
 * Throws `StartupRefused` for a database that this version cannot read. Changes nothing, and creates no file
 * beside it.
 */
export function refuseUnknownSchema(path: string): void {
  const fault = schemaFault(path);
  if (fault !== undefined) throw new StartupRefused([`${path} ${fault.what}. ${fault.next}.`]);
}

/**
 * Returns why this version cannot read the database at `path`, and what to do. Undefined where it can, or
 * where SQLite cannot.
 */
export function schemaFault(path: string): Fault | undefined {
  if (isOther(path)) return { what: "is not a file", next: "Move it away, or set FLOTILLA_DATA_DIR" };
  if (isOther(`${path}-inbox`))
    return { what: "has an inbox beside it that is not a file", next: `Move ${path}-inbox away` };
  const header = headerOf(path);
  if (header === undefined) return undefined;
  if (header.isEmpty && header.application === 0 && header.schema === 0) return undefined;
  if (header.application !== APPLICATION_ID)
    return {
      what: "is another program's database",
      next: "Move it away, or set FLOTILLA_DATA_DIR",
    };
  if (header.schema < 0 || (header.schema > 0 && header.isEmpty))
    return damaged(`it says schema ${header.schema}${header.isEmpty ? ", and has no tables" : ""}`);
  if (header.schema > KNOWN)
    return {
      what: `was written by a newer version of Flotilla (it has schema ${header.schema}, and this version reads schema ${KNOWN}); nothing in it was changed`,
      next: "Start the version that wrote it, or put a backup from before the upgrade in the place of the data directory",
    };
  if (header.schema === 0 && !header.isEmpty)
    return {
      what: "was written by a version before the first release (0.1.0), and no release reads it; nothing in it was changed",
      next: "Start the version that wrote it, or move the data directory away as a backup and start Flotilla with an empty one",
    };
  const [first, ...more] = lackingIn(path, header.schema);
  if (first === undefined) return undefined;
  return damaged(`it lacks the ${first}${more.length === 0 ? "" : `, and ${more.length} more`}`);
}

/** Returns true for what exists and is not a file; a pipe would never answer. */
const isOther = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

const damaged = (how: string) => ({
  what: `is damaged (${how}); nothing in it was changed`,
  next: "Restore a backup (see Backup in docs/operations.md), and keep the damaged file",
});

/**
 * Returns what the database lacks of its schema. Empty where SQLite cannot read the file; the next reader
 * reports that.
 */
function lackingIn(path: string, schema: number): readonly string[] {
  // A connection that may write removes the log that it makes; beside the log of another process it only reads.
  const readonly = ["-wal", "-journal"].some((suffix) => existsSync(`${path}${suffix}`));
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(path, { readonly, fileMustExist: true, timeout: 250 });
    return lackingParts(database, schema);
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return [];
    throw error;
  } finally {
    database?.close();
  }
}

/** Reads the header; undefined for a file that is missing, empty or no database. */
function headerOf(path: string): Header | undefined {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  return existsSync(`${path}-wal`) ? headerInUse(path) : headerAtRest(path);
}

/**
 * Reads the header through SQLite, since the newest one may be in the write-ahead log of a process that has
 * it open or died.
 */
function headerInUse(path: string): Header {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    return {
      application: Number(database.pragma("application_id", { simple: true })),
      schema: schemaOf(database),
      isEmpty: database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0,
    };
  } finally {
    database.close();
  }
}

/** Reads the header without SQLite, which creates a write-ahead log beside a database even for reading. */
function headerAtRest(path: string): Header | undefined {
  const page = Buffer.alloc(BYTES);
  const file = openSync(path, "r");
  try {
    readSync(file, page, 0, BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (page.toString("latin1", 0, FORMAT.length) !== FORMAT) return undefined;
  return {
    application: page.readUInt32BE(APPLICATION_ID_AT),
    schema: page.readInt32BE(USER_VERSION_AT),
    isEmpty: page[PAGE_TYPE_AT] === LEAF && page.readUInt16BE(CELL_COUNT_AT) === 0,
  };
}
