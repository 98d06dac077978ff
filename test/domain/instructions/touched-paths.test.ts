import { expect, it } from "vitest";
import { touchedPaths } from "../../../src/domain/instructions/touched-paths.ts";

const workingDirectory = "/data/worktrees/7/dev-1";
const touched = (args: unknown, named: readonly string[] = []) =>
  touchedPaths(args, { named, workingDirectory });

it.each([
  ["a path inside", { path: "/data/worktrees/7/dev-1/src/a.ts" }, ["src/a.ts"]],
  ["a relative path", { path: "./src//a.ts" }, ["src/a.ts"]],
  [
    "a command",
    { command: "cd packages/api && cat 'x y'", wait: 7 },
    ["cd", "packages/api", "cat", "x", "y"],
  ],
  ["an option with a path", { command: "tool --file=src/a.ts:12" }, ["tool", "--file", "src/a.ts", "12"]],
  ["a text alone", "src/a.ts", ["src/a.ts"]],
  ["the directory itself", { path: workingDirectory }, []],
  ["what lies elsewhere", { path: "/etc/passwd", other: "../x", deep: "a/../../b" }, []],
  ["a long word", { path: "a/".repeat(200) }, []],
  ["nothing", null, []],
])("finds paths in the arguments of a call: %s", (_, args, expected) => {
  expect(touched(args)).toEqual(expected);
});

it("adds the paths that the tool itself names, each once", () => {
  expect(touched({ path: "src/a.ts" }, [`${workingDirectory}/src/a.ts`, "docs/b.md"])).toEqual([
    "src/a.ts",
    "docs/b.md",
  ]);
});

it("looks at the beginning of a long text, and at a bounded number of words", () => {
  expect(touched({ content: `${" ".repeat(4096)}src/a.ts` })).toEqual([]);
  expect(touched({ command: Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ") })).toHaveLength(
    40,
  );
});
