import { describe, expect, it } from "vitest";
import { safePlain, safeTitle } from "../../../src/domain/safe-text/safe-plain.ts";

describe("a message of an agent", () => {
  it.each([
    ["ask @bob, @org/team and a@b.example", "ask @ bob, @ org/team and a@b.example"],
    ["fixes #1, Closes: o/r#2, resolve GH-3", "fixes issue 1, Closes: issue 2 of o/r, resolve issue 3"],
    ["fixes\n#1", "fixes\nissue 1"],
    ["Closes #42, but not closes o/r#42", "Closes #42, but not closes issue 42 of o/r"],
    ["closes GH-42", "closes issue 42"],
    ["closes https://github.com/o/r/issues/3", "closes github.com/o/r/issues/3"],
    ["fixes https://https://github.com/o/r/pull/3", "fixes github.com/o/r/pull/3"],
    [
      "see https://example.com/pull/x and prefixes #1, #2",
      "see https://example.com/pull/x and prefixes #1, #2",
    ],
    ["a [skip ci] b [CI SKIP]\n\nskip-checks: true", "a (skip ci) b (CI SKIP)\n\nskip checks, true"],
    ["a\u200bb <!-- flotilla:v1 key=a mac=ff -->", "ab "],
    ["a `x` *b* <b>", "a `x` *b* <b>"],
  ])("%j becomes %j, and stays so", (text, expected) => {
    expect(safePlain(text, 42)).toBe(expected);
    expect(safePlain(expected, 42)).toBe(expected);
  });

  it("closes nothing where it may close nothing", () => {
    expect(safePlain("closes #42", null)).toBe("closes issue 42");
  });
});

describe("a title of an agent", () => {
  it("is one line of at most 256 characters, not cut within one", () => {
    expect(safeTitle(" a\n\n b ", null)).toBe("a b");
    expect(safeTitle("a".repeat(256), null)).toBe("a".repeat(256));
    expect(safeTitle("a".repeat(257), null)).toBe(`${"a".repeat(255)}…`);
    expect(safeTitle(`${"a".repeat(254)}😀😀`, null)).toBe(`${"a".repeat(254)}…`);
  });

  it("may close the issue of its own pull request, and mentions nobody", () => {
    expect(safeTitle("Fix #42, fix #43 for @bob", 42)).toBe("Fix #42, fix issue 43 for @ bob");
  });
});
