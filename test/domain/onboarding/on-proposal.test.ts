import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";
import { lessonBranch } from "../../../src/domain/lessons/lesson-line.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";

it.each([
  [true, "file_merged", "@alice merged #51, which adds .github/flotilla.yml"],
  [false, "file_declined", "@alice closed #51, which proposes .github/flotilla.yml"],
] as const)("that is closed, merged %s, is put on record and nothing more", (merged, rule, reason) => {
  expect(decide(aDomainEvent("proposal_closed", { merged }), aView())).toEqual({
    ...NO_CHANGES,
    decisions: [{ rule, reason, change: null, agentId: null, inputs: { pull: 51 } }],
  });
});

it.each([
  [true, "file_merged", "@alice merged #51, which adds a lesson to AGENTS.md", null],
  [
    false,
    "file_declined",
    "@alice closed #51, which proposes a lesson",
    "nothing: the same line is not proposed again",
  ],
] as const)("a lesson that is closed, merged %s, is put on record", (merged, rule, reason, change) => {
  const headRef = lessonBranch("0123456789abcdef");
  expect(decide(aDomainEvent("proposal_closed", { merged, headRef }), aView())).toEqual({
    ...NO_CHANGES,
    decisions: [{ rule, reason, change, agentId: null, inputs: { pull: 51 } }],
  });
});
