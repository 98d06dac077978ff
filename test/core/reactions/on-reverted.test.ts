import { expect, it } from "vitest";
import { react } from "../../../src/core/react.ts";
import { aView } from "../../factories/a-view.ts";
import { anOccurrence } from "../../factories/an-occurrence.ts";
import { aTask } from "../../factories/records.ts";
import { movesOf, rulesOf, whyOf } from "./told-of.ts";

const reverted = anOccurrence("reverted");

it("is noted of merged work, with the way to have it done again", () => {
  const reaction = react(reverted, aView({ task: aTask({ state: "MERGED", assigneeId: 11 }) }));
  expect(rulesOf(reaction)).toEqual(["nothing_to_do"]);
  expect(whyOf(reaction)).toContain("@alice reverted what was merged for it");
  expect(whyOf(reaction)).toContain("reopen the issue");
  expect(movesOf(reaction)).toEqual([]);
});

it("is of nobody's concern when nothing of ours was merged", () => {
  expect(rulesOf(react(reverted, aView({ task: null })))).toEqual(["nobody_concerned"]);
  expect(rulesOf(react(reverted, aView({ task: aTask({ state: "CLAIMED" }) })))).toEqual([
    "nobody_concerned",
  ]);
});
