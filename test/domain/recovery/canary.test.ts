import { expect, test } from "vitest";
import { isFirstOf, isNewer, type OutcomesHere, reasonToStop } from "../../../src/domain/recovery/canary.ts";

const well: OutcomesHere = {
  deliveries: { all: 40, failed: 0 },
  effects: { all: 100, failed: 2 },
  brokenRules: [],
};

test.each<[string, Partial<OutcomesHere>, string]>([
  ["little fails", {}, "goes on"],
  ["few effects fail, of few", { effects: { all: 2, failed: 2 } }, "goes on"],
  ["more effects fail, of many", { effects: { all: 16, failed: 3 } }, "goes on"],
  ["a fifth of the effects fails", { effects: { all: 15, failed: 3 } }, "3 of the 15 effects"],
  ["a fifth of the deliveries is dead", { deliveries: { all: 10, failed: 3 } }, "3 of the 10 deliveries"],
  ["one rule is broken", { brokenRules: ["one_coder", "active_has_lease"] }, "break the rule one_coder"],
])("a machine of a new version goes on or stops when %s", (_, outcomes, says) => {
  expect(reasonToStop({ ...well, ...outcomes }) ?? "goes on").toContain(says);
});

test("versions are compared by their numbers, and one that comes before a release is older than that", () => {
  const inOrder = ["0.1.0", "0.2.0-rc.2", "0.2.0-rc.10", "0.2.0", "0.10.0", "1.0.0"];
  for (const [place, version] of inOrder.entries())
    for (const [other, than] of inOrder.entries()) expect(isNewer(version, than)).toBe(place > other);
  expect([isNewer("main", "0.1.0"), isNewer("0.2.0", "unknown"), isNewer("0.2.0+a", "0.2.0+b")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("the first machine of a version is newer than all others that run", () => {
  const others = [{ version: "0.1.0" }, { version: "0.1.1" }];
  expect(isFirstOf("0.2.0", others)).toBe(true);
  expect(isFirstOf("0.1.1", others)).toBe(false);
  expect(isFirstOf("0.2.0", [...others, { version: "0.2.0" }])).toBe(false);
  expect(isFirstOf("0.2.0", [])).toBe(false);
});
