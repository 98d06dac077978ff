import { createHash } from "node:crypto";
import { OutsideError } from "../../../domain/kernel/errors.ts";

/** A value of a column: text, a number, bytes or nothing. */
export type Value = string | number | null | Uint8Array;
export type Row = Value[];

/** Reads the rows of a whole database as they are at one moment. */
export interface TableReader {
  /** The columns of each table. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** The last id that an event of a run was given, also if its row is gone. */
  readonly lastEvent: number;
  /** Returns all rows of a table in their order of arrival, some at a time. */
  rows(table: string, columns: readonly string[]): AsyncIterable<readonly Row[]>;
}

/** Writes the rows of a whole database within one transaction. */
export interface TableWriter {
  /** The columns of each table; a table comes behind those that it refers to. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** Removes what triggers have put into a table. */
  empty(table: string): Promise<void>;
  add(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
}

/** Tables that triggers fill; what they have counted over time cannot be counted again, so their rows are copied last. */
const BY_TRIGGERS = ["tally", "agent_mark", "day_cost", "linked_blocker", "reported_blocker"];
/** A column that one kind of database needs to number rows. */
const ARRIVAL = "arrival";

/** Copies every row. Returns the number of rows of each table. Throws where the target lacks a table or a column. */
export async function copyTables(from: TableReader, to: TableWriter): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const tables = [...to.columns.keys()];
  const own = tables.filter((table) => !BY_TRIGGERS.includes(table));
  for (const table of [...own, ...tables.filter((name) => BY_TRIGGERS.includes(name))]) {
    const columns = sharedColumns(table, from, to);
    await to.empty(table);
    let count = 0;
    for await (const rows of from.rows(table, columns)) {
      await to.add(table, columns, rows);
      count += rows.length;
    }
    counts.set(table, count);
  }
  return counts;
}

/** Returns the tables whose rows differ between two databases, of the columns that both have. */
export async function differingTables(one: TableReader, other: TableReader): Promise<readonly string[]> {
  const differing: string[] = [];
  for (const table of one.columns.keys()) {
    const columns = sharedColumns(table, one, other);
    const [a, b] = [await digestOf(one, table, columns), await digestOf(other, table, columns)];
    if (a !== b) differing.push(table);
  }
  return differing;
}

function sharedColumns(
  table: string,
  from: Pick<TableReader, "columns">,
  to: Pick<TableReader, "columns">,
): readonly string[] {
  const [here, there] = [from.columns.get(table) ?? [], to.columns.get(table) ?? []];
  const differing = [
    ...here.filter((name) => !there.includes(name)),
    ...there.filter((name) => !here.includes(name)),
  ];
  const [first] = differing.filter((name) => name !== ARRIVAL);
  if (first !== undefined)
    throw new OutsideError("other_schema", `only one of the databases has the column ${table}.${first}`, {
      consequence: "tell",
      advice: "Start Flotilla once on each database with the same version, and try again.",
    });
  return here.filter((name) => name !== ARRIVAL);
}

/** Returns a sum over the rows, whatever their order. */
async function digestOf(reader: TableReader, table: string, columns: readonly string[]): Promise<string> {
  let [count, sum] = [0, 0n];
  for await (const rows of reader.rows(table, columns))
    for (const row of rows) {
      const text = JSON.stringify(row.map(compared));
      sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash("sha256").update(text).digest("hex")}`));
      count += 1;
    }
  return `${count} ${sum}`;
}

/** Not every database stores NUL in texts. */
function compared(value: Value): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\uFFFD");
  return value instanceof Uint8Array ? [...value] : value;
}
