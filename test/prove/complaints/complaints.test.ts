import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { complaintsPage } from "./page.ts";
import { readResult, writeResult } from "./result.ts";
import { STORIES } from "./stories.ts";
import { story } from "./story.ts";
import { COMPLAINTS } from "./table.ts";
import { verdictOf } from "./verdict.ts";

const PAGE = "docs/complaints.md";

const found = (number: number, verdict: "happens" | "does not happen") => ({ number, verdict, facts: [] });

test("there are 89 complaints, and the story of each judges it and no other", () => {
  expect(COMPLAINTS.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 89 }, (_, index) => index + 1),
  );
  for (const { number, story: name } of COMPLAINTS) expect([...STORIES[name].judges]).toContain(number);
  const judged = Object.values(STORIES).flatMap(({ judges }) => judges);
  expect(judged).toHaveLength(COMPLAINTS.length);
  expect(new Set(COMPLAINTS.map(({ complaint }) => complaint)).size).toBe(COMPLAINTS.length);
});

test("the page tells what the last recorded run has found", () => {
  expect(readFileSync(PAGE, "utf8")).toBe(complaintsPage(COMPLAINTS, readResult()));
});

test("a complaint happens where a fact is not so, partly where one beside is not, and is not judged without facts", () => {
  expect(verdictOf({ holds: [["a", true]], besides: [["b", true]] })).toBe("does not happen");
  expect(verdictOf({ holds: [["a", true]], besides: [["b", false]] })).toBe("happens partly");
  expect(verdictOf({ holds: [["a", false]], besides: [["b", true]] })).toBe("happens");
  expect(verdictOf({ holds: [] })).toBe("not judged");
});

test("a story says whose checks it has, and judges no other complaint", () => {
  const told = story({
    played: "nothing",
    setting: () => ({ conversations: [] }),
    play: async () => ({ count: 1 }),
    checks: { 7: ({ count }) => ({ holds: [["one", count === 1]] }) },
  });
  expect(told.judges).toEqual([7]);
});

test("a run of some complaints leaves the record of the others", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-complaints-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "result.json");
  writeResult({ machine: "2 cores", judged: [found(3, "happens"), found(1, "happens")] }, path);
  writeResult({ machine: "2 cores", judged: [found(3, "does not happen")] }, path);
  expect(readResult(path).judged).toEqual([found(1, "happens"), found(3, "does not happen")]);
});

test("the page marks what is not so, and counts what is not judged", () => {
  const some = COMPLAINTS.slice(0, 2);
  const judged = {
    number: 1,
    verdict: "happens" as const,
    facts: [["it is told", false] as [string, boolean]],
  };
  const page = complaintsPage(some, { machine: "2 cores", judged: [judged] });
  expect(page).toContain(`| 1 | ${some[0]?.complaint ?? ""} | **happens** | **not so:** it is told |`);
  expect(page).toContain("| not judged | 1 |");
});
