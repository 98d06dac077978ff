import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { proofTable, readProofs } from "./proof-table.ts";

const line = (file: string, promise: string, figure: string) =>
  JSON.stringify({ test: file, promise, figure });

test("each promise stands in a line of its own with its last figure", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-proofs-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "proofs");
  writeFileSync(
    path,
    `${[line("b", "Lost", "1"), line("a", "Doubled", "0"), line("b", "Lost", "22")].join("\n")}\n`,
  );
  expect(proofTable(readProofs(path))).toBe(
    ["Promise  Figure  Test", "---------------", "Doubled  0       a", "Lost     22      b"].join("\n"),
  );
});

test("nothing said is no proof", () => {
  expect(readProofs(join(tmpdir(), "no-such-file-of-proofs"))).toEqual([]);
});
