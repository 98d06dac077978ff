import { expect, it } from "vitest";
import {
  patternFault,
  protectedAmong,
  protectedFiles,
} from "../../../src/domain/evidence/protected-paths.ts";

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
  ["infra/**", ["infra/main.tf", "infra", "INFRA"], ["x/infra/main.tf", "infrastructure"]],
  ["deploy", ["deploy", "deploy/prod.yml", "deploy/a/b"], ["deployed", "x/deploy"]],
  ["deploy/", ["deploy", "deploy/prod.yml"], ["deployed"]],
  ["infra/**/", ["infra", "infra/main.tf", "infra/a/b"], ["infra2/a"]],
  ["**/secrets", ["secrets", "a/secrets", "a/secrets/key"], ["a/secrets.md"]],
  ["infra/*", ["infra/main.tf"], ["infra", "infra/a/b"]],
  ["infra/*/", ["infra/main.tf", "infra/a/b"], ["infra"]],
  ["*.tf", ["main.tf"], ["infra/main.tf", "main.tf/a"]],
  ["a+(b).txt", ["a+(b).txt"], ["aab.txt"]],
  ["caf\u00e9/**", ["caf\u00e9/a", "cafe\u0301/a", "CAFE\u0301"], ["cafe/a"]],
  ["cafe\u0301", ["caf\u00e9/a", "cafe\u0301"], ["cafe"]],
  ["test/**/fixtures/**", ["test/fixtures/a", "test/x/y/fixtures/a"], ["test/fixture/a"]],
])("%s protects %j and not %j", (pattern, inside, outside) => {
  expect(protectedAmong([...inside, ...outside], [pattern])).toEqual(inside);
});

it.each([
  [".github/workflows/**", [".github", ".GitHub"], [], ["a", "github"]],
  ["a/b/c.txt", ["a", "a/b"], [], ["b", "a/x"]],
  ["infra/*/x.tf", ["infra"], ["infra/a"], ["docs"]],
  ["**/secrets/key", [], ["secrets", "a/secrets"], ["a", "a/b"]],
  ["**/*.lock", [], [], ["a", "a/b"]],
  ["a/**/b", ["a"], ["a/x", "a/x/y"], ["c"]],
])("%s protects what takes the place of its parents: %j, of links %j too, and not %j", (...given) => {
  const [pattern, files, links, neither] = given;
  const all = [...files, ...links, ...neither];
  expect(protectedFiles(all, [pattern])).toEqual(files);
  expect(protectedFiles(all, [pattern], new Set(all))).toEqual([...files, ...links]);
  expect(protectedAmong(all, [pattern])).toEqual([]);
});

it.each([
  ["./deploy/**", ". or .."],
  ["deploy/../infra", ". or .."],
  ["..", ". or .."],
  ["deploy//**", "//"],
  ["{infra,deploy}/**", "braces"],
  ["infra/*.{tf,hcl}", "braces"],
  ["[Dd]ockerfile", "brackets"],
  ["infra\\**", "backslash"],
  [" infra/**", "space"],
  ["infra/**\n", "space"],
  ["/", "starts with /"],
  ["/infra/**", "starts with /"],
  ["!docs/**", "exception"],
  ["infra\u200b/**", "invisible"],
  ["in\u0000fra", "invisible"],
])("%j is refused: it would protect nothing of what it seems to say", (pattern, says) => {
  expect(patternFault(pattern)).toContain(says);
  expect(patternFault(pattern)).toMatch(/; (?:write|remove) .*\.$/);
});

it.each(["deploy", "deploy/", "infra/**/", "**", "**/*.lock", "a+(b).txt", ".github/a..b", "a b/c", "..."])(
  "%j is a pattern",
  (pattern) => {
    expect(patternFault(pattern)).toBeNull();
  },
);

it("protects nothing without a pattern, and each path once by several", () => {
  expect(protectedAmong(["a"], [])).toEqual([]);
  expect(protectedAmong(["a"], ["a", "**"])).toEqual(["a"]);
});

/** What a pattern means, as a regular expression: right for short paths. */
const meaning = (pattern: string) => {
  const core = pattern.replace(/(?:\/\*\*|\/)+$/, "");
  const below = core !== pattern || /(?:^|\/)[^/*?]*$/.test(core);
  const source = core.replaceAll(/\*\*\/|\*\*|\*|\?|[.]/g, (part) => {
    const sources: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
    return sources[part] ?? `\\${part}`;
  });
  return new RegExp(`^${source}${below ? "(?:/.*)?" : ""}$`, "is");
};

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
