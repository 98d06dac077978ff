import { expect, it } from "vitest";
import { refusedOnPull } from "../../../src/domain/tasks/refused-on-pull.ts";
import { aView } from "../../factories/a-view.ts";

const THEIRS = {
  draft: false,
  merged: false,
  headRef: "theirs",
  headSha: "a".repeat(40),
  headRepository: "acme/shop",
  baseRef: "main",
};
const ASKED = { theirs: THEIRS, state: "open", locked: false, command: "/flotilla fix" } as const;
const MERGED = { state: "closed", theirs: { ...THEIRS, merged: true } } as const;

it.each([
  [{ state: "closed" }, "closed", "reopen the pull request"],
  [MERGED, "closed", "open an issue"],
  [{ locked: true }, "locked", "unlock it and say `/flotilla fix`"],
  [{}, undefined, undefined],
] as const)("with %j an agent is refused by rule %s, with what a person can do", (given, rule, change) => {
  const refused = refusedOnPull(aView(), { ...ASKED, afterMerge: "open an issue", ...given });
  const [decision] = refused?.decisions ?? [];
  expect([decision?.rule, decision?.change]).toEqual([rule, change]);
});
