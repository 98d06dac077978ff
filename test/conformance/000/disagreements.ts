import { describe, expect, it } from "vitest";
import { type Row, rowsOf } from "../disagreements.ts";
import { runWalker } from "../run-walker.ts";
import { MOVES, TAKEN } from "./moves.ts";

/** Rows that other parts of the suite show: the properties of a state, the turn limit. */
const SHOWN_ELSEWHERE: readonly Row[] = [
  "paused_holds_resources",
  "limits_by_agent_type",
  "completed_is_final_yet_starts",
  "task_by_number",
  "totals_of_agent",
  "environment_from_worktree",
];

/** What holds here of each other row, as the only ways that ours has. */
const RULINGS: readonly (readonly [
  row: Row,
  from: readonly string[],
  to: string,
  ways: readonly string[],
])[] = [
  ["unrecoverable_error", ["executing"], "failed", ["ERROR"]],
  ["turn_limit", ["waiting_approval"], "succeeded", ["COMPLETE"]],
  ["failure_from_any_state", ["waiting_agent"], "failed", ["STEP_FAILED"]],
  ["end_is_kept", ["executing"], "cancelled", ["CANCEL"]],
  ["abort_while_starting", ["initializing"], "cancelled", ["CANCEL"]],
  ["pause_while_starting", ["initializing", "paused"], "initializing", ["RESUME"]],
];

/** Every disagreement that the document has a part in is met by its suite, and our ruling holds. */
export function disagreements(): void {
  describe("the disagreements", () => {
    it("that name the document are those that its moves and its other parts meet", () => {
      const met: readonly Row[] = [
        ...MOVES.flatMap(({ ruled }) => (ruled === undefined ? [] : [ruled])),
        ...TAKEN.flatMap(({ ruled }) => (ruled === "stays" ? [] : [ruled])),
      ];
      expect([...new Set(met)].filter((row) => !SHOWN_ELSEWHERE.includes(row)).toSorted()).toEqual(
        RULINGS.map(([row]) => row).toSorted(),
      );
      expect([...RULINGS.map(([row]) => row), ...SHOWN_ELSEWHERE].toSorted()).toEqual(rowsOf("000"));
    });

    it.each(RULINGS)("%s: from %j to %s by %j", (_, states, to, by) => {
      const from = runWalker.reach(...states);
      const way = runWalker.pathThrough(from, [to], { by });
      expect(way?.steps.slice(from.steps.length).map(({ event }) => event)).toEqual(by);
    });
  });
}
