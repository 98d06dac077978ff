import { expect, test } from "vitest";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import { describeRunner } from "../../contracts/runner.ts";
import { describeServices } from "../../contracts/runner-services.ts";
import { createFakeClock } from "../../fakes/clock.ts";

describeRunner("none", createUnconfinedRunner);
describeServices("none", createUnconfinedRunner);

test("says aloud that agents run unconfined", () => {
  const clock = createFakeClock(0);
  expect(createUnconfinedRunner(clock).description).toContain("agents run unconfined");
});
