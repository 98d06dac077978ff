import { expect, test } from "vitest";
import { createUnconfinedRunner } from "../../src/sandbox/none.ts";
import { describeRunner } from "../contracts/runner.ts";

describeRunner("none", createUnconfinedRunner);

test("says aloud that agents run unconfined", () => {
  expect(createUnconfinedRunner().description).toContain("agents run unconfined");
});
