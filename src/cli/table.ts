import { printableLine } from "../domain/messages/printable.ts";
import type { Print } from "./printer.ts";
import { wrap } from "./wrap.ts";

/** The part of standard output that is used. */
interface Page {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const GAP = "  ";
const INDENT = "    ";

/**
 * Prints rows with aligned columns. A terminal gets a head, and values that do not fit beside the columns
 * before them are wrapped below. Other programs get one line per row, without a head and untruncated.
 */
export function printTable(
  print: Print,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  page: Page = process.stdout,
): void {
  // Escaped first, because escapes count when columns are aligned.
  const shown = rows.map((row) => row.map(printableLine));
  if (page.isTTY !== true) {
    for (const line of aligned(shown, widthsOf(shown))) print(line);
    return;
  }
  const width = page.columns ?? 80;
  const all = [head, ...shown];
  const widths = widthsOf(all);
  const beside = columnsWithin(widths, width);
  for (const [index, row] of all.entries()) {
    const [line = ""] = aligned([row.slice(0, beside)], widths);
    const rest = row.slice(beside).filter((cell) => cell !== "");
    const below =
      rest.length === 0 ? [] : wrap(rest.join(GAP), width, INDENT).flatMap((part) => cut(part, width));
    for (const one of [...cut(line, width), ...below])
      print(one, index === 0 ? { style: "bold", length: one.length } : undefined);
  }
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}

function aligned(rows: readonly (readonly string[])[], widths: readonly number[]): readonly string[] {
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Returns how many columns fit beside one another; at least one. */
function columnsWithin(widths: readonly number[], width: number): number {
  let used = 0;
  const over = widths.findIndex((wide) => {
    used += wide + (used === 0 ? 0 : GAP.length);
    return used > width;
  });
  return over === -1 ? widths.length : Math.max(1, over);
}

/** Splits a line into parts that fit; a word may be longer than the terminal is wide. */
function cut(line: string, width: number): readonly string[] {
  return line.length <= width ? [line] : [line.slice(0, width), ...cut(INDENT + line.slice(width), width)];
}
