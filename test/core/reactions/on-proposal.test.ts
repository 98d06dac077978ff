import { expect, it } from "vitest";
import { react } from "../../../src/core/react.ts";
import { NOTHING } from "../../../src/core/reaction.ts";
import { aView } from "../../factories/a-view.ts";
import { anOccurrence } from "../../factories/an-occurrence.ts";

it.each([
  [true, "file_merged", "@alice merged #51, which adds .github/flotilla.yml"],
  [false, "file_declined", "@alice closed #51, which proposes .github/flotilla.yml"],
] as const)("that is closed, merged %s, is put on record and nothing more", (merged, rule, reason) => {
  expect(react(anOccurrence("proposal_closed", { merged }), aView())).toEqual({
    ...NOTHING,
    decisions: [{ rule, reason, change: null, agentId: null, inputs: { pull: 51 } }],
  });
});
