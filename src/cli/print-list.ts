import type { Listed, Position } from "../domain/ports/lists.ts";
import type { CommandContext, Option } from "./command.ts";
import { printTable } from "./table.ts";

/** Rows per read. */
const PAGE = 500;

export const LIMIT: Option = { type: "string", says: "show at most this many", value: "20" };

interface LongList<Row> {
  /** Returns the rows after a position, at most `limit`. */
  readonly read: (page: { after: Position | null; limit: number }) => Promise<readonly Listed<Row>[]>;
  /** The name of the list in JSON, in the plural. */
  readonly name: string;
  readonly json: (row: Row) => unknown;
  /** Additional fields of the JSON object. */
  readonly beside?: object;
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly string[];
  /** Printed where there are no rows. */
  readonly none: string;
}

/** Explains the values of `--limit`, where `limitTyped` is null. */
export const LIMIT_FAULT = "--limit takes a number from 1.";

/** Returns the number in `--limit`: null for an invalid one, infinite where it was not given. */
export function limitTyped({ options }: Pick<CommandContext, "options">): number | null {
  const { limit } = options;
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  return typeof limit === "string" && /^[1-9]\d{0,8}$/.test(limit) ? Number(limit) : null;
}

/**
 * Prints a list page by page, so that it is never in memory as a whole: reads the next page once the last one
 * has left the process, and stops when the reader has gone. In JSON it is one object: on one line if it fits
 * in a page, otherwise with a line per row.
 */
export async function printList<Row>(
  { print, options, drained }: CommandContext,
  { read, name, json, beside = {}, head, cells, none }: LongList<Row>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const isJson = options["json"] === true;
  let printed = 0;
  let after: Position | null = null;
  for (;;) {
    const limit = Math.min(PAGE, most - printed);
    const page: readonly Listed<Row>[] = limit === 0 ? [] : await read({ after, limit });
    const isLast = page.length < limit || printed + page.length === most;
    const rows = page.map(({ row }) => row);
    if (isJson && printed === 0 && isLast) {
      print(JSON.stringify({ [name]: rows.map(json), ...beside }));
      return;
    }
    if (!isJson && printed + rows.length === 0) print(none);
    else if (!isJson) printTable(print, head, rows.map(cells));
    else {
      if (printed === 0) print(`{${JSON.stringify(name)}:[`);
      for (const [index, row] of rows.entries())
        print(`${printed + index === 0 ? "" : ","}${JSON.stringify(json(row))}`);
      if (isLast)
        print(
          `]${JSON.stringify(beside)
            .replace(/^\{(?!\})/, ",")
            .replace(/^\{\}$/, "}")}`,
        );
    }
    if (isLast || (drained !== undefined && !(await drained()))) return;
    printed += rows.length;
    after = page.at(-1)?.position ?? null;
  }
}
