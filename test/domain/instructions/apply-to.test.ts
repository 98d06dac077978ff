import { describe, expect, it } from "vitest";
import { applies, appliesToAll, readApplyTo } from "../../../src/domain/instructions/apply-to.ts";

const read = (applyTo: unknown) => readApplyTo({ applyTo });

describe("applyTo", () => {
  it.each([
    ["**/*.ts", ["**/*.ts"]],
    ["**/*.ts,**/*.tsx", ["**/*.ts", "**/*.tsx"]],
    [" /src/** , ./docs/*.md,", ["src/**", "docs/*.md"]],
    ["**/*.{ts,tsx},a", ["**/*.ts", "**/*.tsx", "a"]],
    ["{a,b}/{c,{d,e}}", ["a/c", "a/d", "a/e", "b/c", "b/d", "b/e"]],
    [
      ["*.md", "src/**"],
      ["*.md", "src/**"],
    ],
  ])("%s names patterns", (written, patterns) => {
    const result = read(written);
    expect("patterns" in result ? result.patterns.toSorted() : result).toEqual(patterns.toSorted());
  });

  it.each([
    [undefined, "has no `applyTo`, so it is for no path"],
    [7, "has no `applyTo`, so it is for no path"],
    [" , ", "has an empty `applyTo`"],
    ["src/[ab]/**", "has an `applyTo` that is not understood"],
    ["!src/**", "has an `applyTo` that is not understood"],
    ["../**", "has an `applyTo` that is not understood"],
    ["a{b", "has an `applyTo` that is not understood"],
    ["a}b", "has an `applyTo` that is not understood"],
    ["a".repeat(1001), "has an `applyTo` that is too long"],
    ["{a,b}".repeat(40), "has an `applyTo` that is too long"],
    [`${"{a,b}".repeat(5)}${"c".repeat(60)}`, "has an `applyTo` that is too long"],
    [`{${",".repeat(60)}}`, "has an `applyTo` that is too long"],
    ["{".repeat(1000), "has an `applyTo` that is not understood"],
  ])("%# says why it is for no path", (written, fault) => {
    expect(read(written)).toEqual({ fault });
  });

  it("is missing where there is no front matter", () => {
    expect(readApplyTo(null)).toEqual({ fault: "has no `applyTo`, so it is for no path" });
  });

  it("is tried on a path in the time of its length, whatever its wildcards", () => {
    const bomb = read(`${"**/*a".repeat(100)}b`);
    const patterns = "patterns" in bomb ? bomb.patterns : [];
    expect(patterns).toHaveLength(1);
    expect(applies(patterns, `${"a/".repeat(120)}c`)).toBe(false);
  });

  it("concerns a path as patterns of protected paths do", () => {
    expect(applies(["**/*.ts"], "a.ts")).toBe(true);
    expect(applies(["**/*.ts"], "src/deep/a.ts")).toBe(true);
    expect(applies(["*.ts"], "src/a.ts")).toBe(false);
    expect(applies(["src"], "src/deep/a.py")).toBe(true);
  });

  it.each(["**", "**/*", "**/**"])("%s concerns everything", (pattern) => {
    expect(appliesToAll(["docs/**", pattern])).toBe(true);
    expect(appliesToAll(["docs/**", "*"])).toBe(false);
  });
});
