import { styleText } from "node:util";
import { wrap } from "./wrap.ts";

/** What is needed of standard output. */
interface Page {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const GAP = "  ";
const INDENT = "    ";

/**
 * Rows with aligned columns. On a terminal with a head and never wider than it: what does not fit beside the columns
 * before it stands below, wrapped. Elsewhere one line for each row, without a head and uncut, for other programs.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  page: Page = process.stdout,
): readonly string[] {
  if (page.isTTY !== true) return aligned(rows, widthsOf(rows));
  const width = page.columns ?? 80;
  const all = [head, ...rows];
  const widths = widthsOf(all);
  const beside = columnsWithin(widths, width);
  return all.flatMap((row, index) => {
    const [line = ""] = aligned([row.slice(0, beside)], widths);
    const rest = row.slice(beside).filter((cell) => cell !== "");
    const below =
      rest.length === 0 ? [] : wrap(rest.join(GAP), width, INDENT).flatMap((part) => cut(part, width));
    const lines = [...cut(line, width), ...below];
    return index === 0 ? lines.map((one) => styleText("bold", one)) : lines;
  });
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

/** How many columns fit beside one another; at least the first. */
function columnsWithin(widths: readonly number[], width: number): number {
  let used = 0;
  const over = widths.findIndex((wide) => {
    used += wide + (used === 0 ? 0 : GAP.length);
    return used > width;
  });
  return over === -1 ? widths.length : Math.max(1, over);
}

/** A line in parts that fit; a word may be longer than a terminal is wide. */
function cut(line: string, width: number): readonly string[] {
  return line.length <= width ? [line] : [line.slice(0, width), ...cut(INDENT + line.slice(width), width)];
}
