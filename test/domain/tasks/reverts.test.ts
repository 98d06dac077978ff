import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { parseReverts } from "../../../src/domain/tasks/reverts.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { aTask } from "../../factories/records.ts";
import { movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";

it("what git writes about a reverted commit is read", () => {
  const message = `Revert "Add a dark mode"\n\nThis reverts commit ${SHA}, reversing\nchanges made to 1234.\n`;
  expect(parseReverts(message, "acme/shop")).toEqual({ commits: [SHA], pulls: [] });
});

it("what GitHub's button writes is read, of this repository only", () => {
  const text = "Reverts acme/shop#43\r\nReverts #44\nReverts Acme/Shop#45\nReverts acme/other#46";
  expect(parseReverts(text, "acme/shop")).toEqual({ commits: [], pulls: [43, 44, 45] });
});

it("what a squash makes a list of is read too", () => {
  expect(parseReverts(`* This reverts commit ${SHA}.`, "acme/shop").commits).toEqual([SHA]);
});

it("nothing is read into other words", () => {
  const text = `It is not so that This reverts commit ${SHA}.\nThis reverts commit 0123.\nReverts #0`;
  expect(parseReverts(text, "acme/shop")).toEqual({ commits: [], pulls: [] });
});

const reverted = aDomainEvent("reverted");

it("a revert is noted of merged work, with the way to have it done again", () => {
  const changes = decide(reverted, aView({ task: aTask({ state: "MERGED", assigneeId: 11 }) }));
  expect(rulesOf(changes)).toEqual(["nothing_to_do"]);
  expect(whyOf(changes)).toContain("@alice reverted its merged work");
  expect(whyOf(changes)).toContain("reopen the issue");
  expect(movesOf(changes)).toEqual([]);
});

it("a revert is of nobody's concern when nothing of ours was merged", () => {
  expect(rulesOf(decide(reverted, aView({ task: null })))).toEqual(["nobody_concerned"]);
  expect(rulesOf(decide(reverted, aView({ task: aTask({ state: "CLAIMED" }) })))).toEqual([
    "nobody_concerned",
  ]);
});
