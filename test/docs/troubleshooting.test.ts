import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DECISION_RULES } from "../../src/domain/decisions/rules.ts";
import { TROUBLES } from "../../src/domain/tasks/escalation.ts";

const TEXT = readFileSync("docs/troubleshooting.md", "utf8");
const SOURCES = globSync("src/**/*.ts")
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

const rows = TEXT.split("\n")
  .filter((line) => /^\| (?!you see|label \|)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** Texts of ours that a first column quotes: between backticks, with a blank. What varies is cut out. */
function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]* [^`]*)`/g)].map(([, text = ""]) => text);
}

/** Pieces of a text that no source has. */
function strange(text: string): readonly string[] {
  return text
    .split("…")
    .map((piece) => piece.trim())
    .filter((piece) => piece.length > 1 && !SOURCES.includes(piece));
}

describe("docs/troubleshooting.md", () => {
  test("quotes texts that the program really says", () => {
    const texts = rows
      .flatMap(([, cell = ""]) => quoted(cell))
      .filter((text) => !text.startsWith("flotilla "));
    expect(texts.flatMap(strange)).toEqual([]);
    expect(texts.length).toBeGreaterThan(20);
    expect(strange("is shorter than … much too short")).toEqual(["much too short"]);
  });

  test("says for every symptom what it means, where to look and what to do", () => {
    expect(rows.length).toBeGreaterThan(60);
    for (const row of rows) {
      expect([5, 6]).toContain(row.length);
      expect(row.slice(1, -1).filter((cell) => cell === "")).toEqual([]);
    }
  });

  test("names decisions that there are, and every kind of trouble of an escalation", () => {
    const named = rows.flatMap(([, cell = ""]) =>
      cell.includes("decision") ? [...cell.matchAll(/`([a-z_]+)`/g)].map(([, rule = ""]) => rule) : [],
    );
    const rules = new Set<string>(DECISION_RULES);
    expect(named.filter((rule) => !rules.has(rule))).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
    expect(Object.values(TROUBLES).filter((trouble) => !TEXT.includes(`${trouble} |`))).toEqual([]);
  });
});
