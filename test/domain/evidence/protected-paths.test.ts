import { expect, it } from "vitest";
import { protectedAmong } from "../../../src/domain/evidence/protected-paths.ts";

it.each([
  [
    ".github/workflows/**",
    [".github/workflows/ci.yml", ".github/workflows/deep/er.yml"],
    [".github/other.yml"],
  ],
  ["CODEOWNERS", ["CODEOWNERS", "codeowners"], ["docs/CODEOWNERS", "CODEOWNERS.md"]],
  ["**/*.lock", ["a.lock", "deep/er/a.lock"], ["a.lock.txt"]],
  ["src/*.ts", ["src/a.ts"], ["src/deep/a.ts", "src/a.tsx"]],
  ["v?.txt", ["v1.txt"], ["v10.txt", "v/.txt"]],
  ["/infra/**", ["infra/main.tf"], ["x/infra/main.tf", "infra"]],
  ["a+(b).txt", ["a+(b).txt"], ["aab.txt"]],
  ["test/**/fixtures/**", ["test/fixtures/a", "test/x/y/fixtures/a"], ["test/fixture/a"]],
])("%s protects %j and not %j", (pattern, inside, outside) => {
  expect(protectedAmong([...inside, ...outside], [pattern])).toEqual(inside);
});

it("protects nothing without a pattern, and each path once by several", () => {
  expect(protectedAmong(["a"], [])).toEqual([]);
  expect(protectedAmong(["a"], ["a", "**"])).toEqual(["a"]);
});

/** What a pattern means, as a regular expression: right for short paths. */
const meaning = (pattern: string) =>
  new RegExp(
    `^${pattern.replaceAll(/\*\*\/|\*\*|\*|\?|[.]/g, (part) => {
      const sources: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
      return sources[part] ?? `\\${part}`;
    })}$`,
    "is",
  );

it("matches each short path that the pattern describes, and no other", () => {
  const pieces = ["a", "b", "/", ".", "*", "**", "**/", "?"];
  const letters = ["a", "B", "/", "."];
  const upTo = (all: readonly string[], length: number): readonly string[] =>
    length === 0 ? [""] : ["", ...all.flatMap((one) => upTo(all, length - 1).map((rest) => one + rest))];
  const paths = [...new Set(upTo(letters, 4))];
  const patterns = [...new Set(upTo(pieces, 3))].filter((pattern) => !pattern.startsWith("/"));
  const wrong = patterns.filter((pattern) => {
    const expected = paths.filter((path) => meaning(pattern).test(path));
    return protectedAmong(paths, [pattern]).join() !== expected.join();
  });
  expect(wrong).toEqual([]);
});
