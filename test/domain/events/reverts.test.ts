import { expect, test } from "vitest";
import { revertsIn } from "../../../src/domain/events/reverts.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";

test("what git writes about a reverted commit is read", () => {
  const message = `Revert "Add a dark mode"\n\nThis reverts commit ${SHA}, reversing\nchanges made to 1234.\n`;
  expect(revertsIn(message, "acme/shop")).toEqual({ commits: [SHA], pulls: [] });
});

test("what GitHub's button writes is read, of this repository only", () => {
  const text = "Reverts acme/shop#43\r\nReverts #44\nReverts Acme/Shop#45\nReverts acme/other#46";
  expect(revertsIn(text, "acme/shop")).toEqual({ commits: [], pulls: [43, 44, 45] });
});

test("what a squash makes a list of is read too", () => {
  expect(revertsIn(`* This reverts commit ${SHA}.`, "acme/shop").commits).toEqual([SHA]);
});

test("nothing is read into other words", () => {
  const text = `It is not so that This reverts commit ${SHA}.\nThis reverts commit 0123.\nReverts #0`;
  expect(revertsIn(text, "acme/shop")).toEqual({ commits: [], pulls: [] });
});
