import { describe, expect, it } from "vitest";
import { TEST_BOUNDS, weakenedTests } from "../../../src/domain/evidence/weakened-tests.ts";
import { change, FILES, js } from "./changed-tests.ts";

/** A part of what a file may have: the bound grows with it. */
const fileBytes = TEST_BOUNDS.fileBytes / 8;

/** What the slices of a comparison did together, and the largest of them, and what it found. */
function slicesOf(files: ReturnType<typeof change>) {
  const work = weakenedTests(files, new Set());
  let [largest, sum] = [0, 0];
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return { largest, sum, found: step.value };
    largest = Math.max(largest, step.value);
    sum += step.value;
  }
}

/** A text of that length, of this one again and again. */
const filled = (piece: string) =>
  piece.repeat(Math.ceil(fileBytes / Math.max(1, piece.length))).slice(0, fileBytes);

const distinct = (line: (index: number) => string) => {
  let text = "";
  for (let index = 0; text.length < fileBytes; index += 1) text += `${line(index)}\n`;
  return text.slice(0, fileBytes);
};

describe("the comparison of tests", () => {
  it.each(Object.entries(FILES))("is cut into slices of a bounded size: %s", (path, text) => {
    const before = filled(text);
    const files = change([path, before, before.replaceAll("1", "2")], [`x/${path}`, text, null]);
    const { largest, sum } = slicesOf(files);
    expect(largest).toBeLessThanOrEqual(2 * fileBytes);
    expect(sum).toBeGreaterThan(20 * fileBytes);
  });

  it.each([
    ["one test of many lines", (index: number) => `  line(${index});`],
    [
      "many tests of one line",
      (index: number) => `it("${index}", () => { expect(${index}).toBe(${index}, 1); });`,
    ],
    ["many tests without an end", () => "it.each("],
    ["many assertions of one test", () => "assert(assert(assert("],
    ["many marks of one test", () => "it.only.skip(x); return;"],
    ["many limits of one test", () => "retries: 1, timeout: 2,"],
    ["lines without an end", () => "[".repeat(1000)],
  ])("is cut into slices of a bounded size: %s", (_, line) => {
    const text = `it("first", () => {\n${distinct(line)}`.slice(0, fileBytes);
    const files = change([js, text, text.replaceAll("1", "3")], ["test/other.test.ts", null, text]);
    expect(slicesOf(files).largest).toBeLessThanOrEqual(2 * fileBytes);
  });

  it("is cut between the tests that resemble one", () => {
    const text = `it("first", () => {\n${distinct((index) => `  line(${index});`)}`;
    const others = Array.from({ length: 50 }, (_, index) => [`test/${index}.test.ts`, null, text] as const);
    const renamed = others.map(([path]) => [`other/${path}`, null, text.replace("first", path)] as const);
    for (const alike of [others, renamed])
      expect(slicesOf(change([js, text, null], ...alike)).largest).toBeLessThanOrEqual(2 * fileBytes);
  });

  it("is cut between snapshots, and between files of settings", () => {
    const lines = distinct((index) => `line ${index}`);
    const files = change(
      ...Array.from({ length: 4 }, (_, index) => [`__snapshots__/${index}.snap`, lines, lines] as const),
      ...Array.from({ length: 4 }, (_, index) => [`${index}/pytest.ini`, lines, `${lines}x`] as const),
    );
    const { largest, sum, found } = slicesOf(files);
    expect(largest).toBeLessThanOrEqual(2 * fileBytes + 1);
    expect(sum).toBeGreaterThan(16 * fileBytes);
    expect(found).toHaveLength(4);
  });

  it("names a hundred findings of one file and 2000 in all, and says where there are more", () => {
    const many = Array.from({ length: 130 }, (_, index) => `it.skip("${index}", () => {});\n`).join("");
    const { found } = slicesOf(change([js, null, many]));
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatchObject({ path: js, kind: "more", what: "30 more, from here on" });
    const all = change(
      ...Array.from({ length: 25 }, (_, index) => [`test/${index}.test.ts`, null, many] as const),
    );
    const listed = slicesOf(all).found;
    expect(listed).toHaveLength(2001);
    expect(listed.at(-1)).toMatchObject({ kind: "more", what: "this file and all after it have more" });
  });
});
