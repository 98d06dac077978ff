import { describe, expect, it } from "vitest";
import { runWalker } from "../run-walker.ts";
import { follow, type Pattern } from "../walker.ts";

/** The five tests that it has for itself, played on ours. */
const TESTS: readonly {
  readonly name: string;
  readonly from: readonly string[];
  readonly by: readonly Pattern[];
  readonly to: string;
}[] = [
  { name: "START begins an execution", from: ["idle"], by: ["START"], to: "initializing" },
  { name: "PAUSE while at work stops it", from: ["executing"], by: ["PAUSE"], to: "paused" },
  { name: "RESUME continues where it was", from: ["executing", "paused"], by: ["RESUME"], to: "executing" },
  {
    name: "an error for good is cleaned up and ends as failed (unrecoverable_error)",
    from: ["executing"],
    by: [{ type: "ERROR", recoverable: false }],
    to: "failed",
  },
  {
    name: "STEP below the limit continues",
    from: ["executing"],
    by: [{ type: "STEP", atLimit: false }],
    to: "executing",
  },
];

export function ownTests(): void {
  describe("its own tests", () => {
    it.each(TESTS)("$name", ({ from, by, to }) => {
      expect(follow(runWalker, runWalker.reach(...from), ...by).snapshot?.state).toBe(to);
    });
  });
}
