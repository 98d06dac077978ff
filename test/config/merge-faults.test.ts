import { expect, it } from "vitest";
import { faultsOf, SOUND_YAML } from "./workplace.ts";

it("merging by itself at a lower level is refused, and it is said what to write", () => {
  expect(
    faultsOf(`${SOUND_YAML}merge: { auto: true }
`),
  ).toEqual([
    "config.yaml: merge.auto: true needs `level: merge`, and the level is pr; write `level: merge`, or `merge: { auto: false }`.",
  ]);
});

it("the level alone merges nothing, and is no fault", () => {
  expect(
    faultsOf(`${SOUND_YAML}level: merge
`),
  ).toEqual([]);
});

it("a level that is no level is the one fault", () => {
  expect(
    faultsOf(`${SOUND_YAML}merge: { auto: true }
level: maximum
`),
  ).toHaveLength(1);
});
