import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const TEXT = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
const ROWS = TEXT.split("\n").filter((line) => /^\| T\d+ /.test(line));
const cells = (row: string) => row.split("|").map((cell) => cell.trim());
const testsOf = (row: string) =>
  [...(cells(row)[4] ?? "").matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? "");

describe("the table of threats", () => {
  it("has T1 to T34, each once and in order", () => {
    expect(ROWS.map((row) => cells(row)[1])).toEqual(
      Array.from({ length: 34 }, (_, index) => `T${index + 1}`),
    );
  });

  it.each(ROWS)("says of each threat what stands against it and what is left over: %s", (row) => {
    expect(cells(row)).toHaveLength(7);
    expect(
      cells(row)
        .slice(1, 6)
        .filter((cell) => cell === ""),
    ).toEqual([]);
  });

  it.each(ROWS)("names tests that there are: %s", (row) => {
    const named = testsOf(row);
    expect(named).not.toEqual([]);
    expect(
      named.filter((path) => !path.endsWith(".test.ts") || !existsSync(join(ROOT, "test", path))),
    ).toEqual([]);
  });

  it("is followed by how to run it safely and by what is not protected", () => {
    const headings = TEXT.split("\n").filter((line) => line.startsWith("## "));
    expect(headings).toEqual([
      "## Reporting a weakness",
      "## The threats, and what stands against them",
      "## Running it safely",
      "## What is not protected",
    ]);
  });
});
