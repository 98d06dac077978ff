import { existsSync, readFileSync } from "node:fs";
import type { Proof } from "../proved.ts";

/** What the tests said, in order of their names; a promise that a file shows twice is told with its last figure. */
export function readProofs(path: string): readonly Proof[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const proofs = new Map<string, Proof>();
  for (const line of lines) {
    const proof: Proof = JSON.parse(line);
    proofs.set(`${proof.test} ${proof.promise}`, proof);
  }
  return [...proofs.values()].toSorted((one, other) =>
    `${one.test} ${one.promise}`.localeCompare(`${other.test} ${other.promise}`),
  );
}

/** One line for each promise under a line of heads. */
export function proofTable(proofs: readonly Proof[]): string {
  const rows = [["Promise", "Figure", "Test"], ...proofs.map((one) => [one.promise, one.figure, one.test])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .toSpliced(1, 0, "-".repeat((widths[0] ?? 0) + (widths[1] ?? 0) + 2))
    .join("\n");
}
