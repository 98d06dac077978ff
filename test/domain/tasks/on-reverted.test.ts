import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { aTask } from "../../factories/records.ts";
import { movesOf, rulesOf, whyOf } from "../reactions/told-of.ts";

const reverted = aDomainEvent("reverted");

it("is noted of merged work, with the way to have it done again", () => {
  const reaction = decide(reverted, aView({ task: aTask({ state: "MERGED", assigneeId: 11 }) }));
  expect(rulesOf(reaction)).toEqual(["nothing_to_do"]);
  expect(whyOf(reaction)).toContain("@alice reverted what was merged for it");
  expect(whyOf(reaction)).toContain("reopen the issue");
  expect(movesOf(reaction)).toEqual([]);
});

it("is of nobody's concern when nothing of ours was merged", () => {
  expect(rulesOf(decide(reverted, aView({ task: null })))).toEqual(["nobody_concerned"]);
  expect(rulesOf(decide(reverted, aView({ task: aTask({ state: "CLAIMED" }) })))).toEqual([
    "nobody_concerned",
  ]);
});
