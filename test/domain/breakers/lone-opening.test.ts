import { expect, it } from "vitest";
import { lostForGood } from "../../../src/domain/breakers/lone-opening.ts";

const at = (step: "worktree" | "conversation", begun: number) => ({ agentId: 1, step, begun });

it("lets an agent be opened until one step has been lost three times in a row", () => {
  expect(lostForGood([])).toBeNull();
  expect(lostForGood([at("worktree", 2), at("conversation", 2)])).toBeNull();
});

it.each([
  ["worktree", "while its worktree was made ready"],
  ["conversation", "while its conversation was opened"],
] as const)("names the step that was lost: %s", (step, words) => {
  expect(lostForGood([at("worktree", 1), at(step, 3)])).toContain(
    `the process of Flotilla ended 3 times ${words}, with nothing else under way`,
  );
});
