import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage } from "./pages.ts";
import { changed, DEVELOPING, recipesOf } from "./recipes.ts";

/** Makes the changes of a page one after another; the files as they would be. */
function made(page: typeof DEVELOPING, files = new Map<string, string>()): ReadonlyMap<string, string> {
  const read = (path: string): string | null =>
    files.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : null);
  for (const change of recipesOf(page).changes) files.set(change.path, changed(change, read(change.path)));
  return files;
}

test("the additions that docs/developing.md shows still find their places", () => {
  const files = made(DEVELOPING);
  expect(files.size).toBeGreaterThan(20);
  expect(files.get("src/domain/review/on-reviewed.ts")).toContain("  remark_reopened: onRemarkReopened,\n");
  expect(recipesOf(DEVELOPING).commands.length).toBeGreaterThan(8);
});

const sections = readFileSync(DEVELOPING.path, "utf8")
  .split(/^## /m)
  .map((text) => ({ heading: text.split("\n")[0] ?? "", page: readPage(DEVELOPING.path, text) }))
  .filter(({ page: { blocks } }) => blocks.some(({ language }) => language === "diff"));

/** The most files that an addition touches, tests included; five where it is not listed. */
const MOST = new Map(["A tool", "A counter", "A gauge", "A doctor check"].map((heading) => [heading, 4]));

test.each(sections)("$heading touches no more files than it may", ({ heading, page: section }) => {
  const paths = new Set(recipesOf(section).changes.map(({ path }) => path));
  expect([...paths].slice(MOST.get(heading) ?? 5)).toEqual([]);
});

const page = (block: string) => readPage("docs/page.md", block);

test("a place is written again and what stands around it is kept", () => {
  const block = "```diff\n--- a.ts\n one\n+two\n@@\n-four\n+five\n```\n";
  expect(made(page(block), new Map([["a.ts", "one\nthree\nfour\n"]])).get("a.ts")).toBe(
    "one\ntwo\nthree\nfive\n",
  );
  expect(made(page("```ts\n// b.ts\nexport {};\n```\n")).get("b.ts")).toBe("export {};\n");
});

test.each([
  ["a place that is gone", "```diff\n--- a.ts\n two\n+three\n```\n", "are 0 times in a.ts:\ntwo"],
  ["a place that is there twice", "```diff\n--- a.ts\n one\n+two\n```\n", "are 2 times in a.ts:\none"],
  ["a file that is gone", "```diff\n--- gone.ts\n one\n+two\n```\n", "gone.ts is not there"],
  ["a new file that is there", "```ts\n// a.ts\n```\n", "a.ts is there already"],
])("%s is an error that says where", (_, block, words) => {
  expect(() => made(page(block), new Map([["a.ts", "one\none\n"]]))).toThrow(words);
  expect(() => made(page(block), new Map([["a.ts", "one\none\n"]]))).toThrow("docs/page.md:2: ");
});
