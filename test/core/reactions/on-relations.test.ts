import { expect, it } from "vitest";
import { react } from "../../../src/core/react.ts";
import { aView } from "../../factories/a-view.ts";
import { anOccurrence } from "../../factories/an-occurrence.ts";

const held = [
  { repositoryId: 7, issue: 5 },
  { repositoryId: 8, issue: 6 },
];
const looks = held.map((one) => ({ kind: "look_at_blockers", ...one }));

it("looks again at issues that a closed one blocked, and is no news of nobody's", () => {
  const reaction = react(anOccurrence("issue_closed"), aView({ held, agents: [], task: null }));
  expect(reaction.effects).toEqual(looks);
  expect(reaction.decisions).toEqual([]);
});

it("looks again at issues that one blocks which is opened again, whoever opens it", () => {
  const reopened = anOccurrence("issue_reopened", { permitted: false });
  const reaction = react(reopened, aView({ held }));
  expect(reaction.effects).toEqual(looks);
  expect(reaction.decisions).toMatchObject([{ rule: "not_permitted" }]);
});
