import type { Bench, Row } from "./bench.ts";
import { type Shown, shownRow } from "./figures.ts";

/** The measurements of one bench. */
export interface Part {
  readonly bench: Pick<Bench, "name" | "about">;
  readonly rows: readonly Row[];
}

const HEAD: Shown = { what: "", ours: "Flotilla", reference: "reference", ratio: "ratio" };

/** Formats one table for a terminal, with the parts under their names. */
export function asText(parts: readonly Part[]): string {
  const shown = parts.flatMap(({ rows }) => rows.map(shownRow));
  const width = (column: keyof Shown): number =>
    Math.max(...[HEAD, ...shown].map((row) => row[column].length));
  const [what, ours, reference, ratio] = [width("what"), width("ours"), width("reference"), width("ratio")];
  const line = (row: Shown): string =>
    `  ${row.what.padEnd(what)}  ${row.ours.padEnd(ours)}  ${row.reference.padEnd(reference)}  ${row.ratio.padStart(ratio)}`;
  return [
    line(HEAD),
    ...parts.flatMap(({ bench, rows }) => [bench.name, ...rows.map((row) => line(shownRow(row)))]),
  ].join("\n");
}

/** Formats the same for docs/performance.md; `machine` says where and when it was measured. */
export function asMarkdown(parts: readonly Part[], machine: string): string {
  const head = ["| | Flotilla | reference | ratio |", "|---|---|---|---:|"];
  const lines = parts.flatMap(({ bench, rows }) => [
    `| **${bench.name}** | | | |`,
    ...rows.map(shownRow).map((row) => `| ${row.what} | ${row.ours} | ${row.reference} | ${row.ratio} |`),
  ]);
  return [`Measured on ${machine}`, "", ...head, ...lines].join("\n");
}
