import { expect, test } from "vitest";
import { z } from "zod";
import { bounded } from "../../../src/domain/settings/bounded.ts";
import { type Direction, setting } from "../../../src/domain/settings/keys.ts";

const moved = (repository: Direction | undefined, ours: unknown, theirs: unknown) =>
  bounded(
    { it: setting("it", z.unknown(), { description: "It.", ...(repository && { repository }) }) },
    { it: ours, other: 1 },
    { it: theirs, other: 2 },
  );

test.each([
  ["lower", 5, 3, 3],
  ["lower", 5, 9, 5],
  ["lower", undefined, 9, 9],
  ["raise", 5, 9, 9],
  ["raise", 5, 3, 5],
  ["switch_on", false, true, true],
  ["switch_on", true, false, true],
  ["switch_off", true, false, false],
  ["switch_off", false, true, false],
  ["replace_unless_off", true, ["a.md"], ["a.md"]],
  ["replace_unless_off", true, false, false],
  ["replace_unless_off", ["b.md"], true, true],
  ["replace_unless_off", false, ["a.md"], false],
  ["add", ["ci"], ["lint", "ci"], ["ci", "lint"]],
  ["replace", ["make"], ["npm test"], ["npm test"]],
  ["replace", ["make"], [], ["make"]],
  ["replace", "squash", "rebase", "rebase"],
  ["choose", ["a.test"], ["b.test"], ["b.test"]],
  ["choose", ["a.test"], [], []],
  ["replace_each", { A: "1", B: "2" }, { B: "3", C: "" }, { A: "1", B: "3", C: "" }],
  ["replace_each", undefined, { A: "1" }, { A: "1" }],
  ["lower", 5, undefined, 5],
  [undefined, 5, 3, 5],
] as const)("a repository may %s a key: of %j and its %j, %j holds", (may, ours, theirs, both) => {
  expect(moved(may, ours, theirs)).toEqual({ it: both, other: 1 });
});
