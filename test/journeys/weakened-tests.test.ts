import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const ISSUE = 1;
const TESTS =
  'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n\nit.each([1])("takes %i", () => {});\n';

/** Confined where the sandbox is available. */
describe("a change that takes a test out", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({
      scenario: aScenario({
        conversations: [
          saysOn(ISSUE, [
            call("bash", {
              command: `printf 'it("adds", () => {});\\n' > math.test.js`,
              description: "Weaken",
            }),
            call("commit", { message: "Make the tests pass" }),
            call("open_pr", { title: "Make the tests pass", body: "As asked." }),
            call("report_complete", { summary: "They pass." }),
          ]),
        ],
      }),
    });
    const octocat = journey.github.as("octocat");
    await octocat.push("main", { "math.test.js": TESTS }, "Our tests");
    await octocat.openIssue({ title: "Make the tests pass", body: "Please." });
    await octocat.label(ISSUE, "feature");
    await journey.reached(ISSUE, "SLEEPING");
  }, 180_000);
  afterAll(() => journey.close());

  it("waits for a person, who reads what was found, and completes after a yes", async () => {
    const [asked] = journey.rows("SELECT kind, detail, input FROM approval");
    expect(asked).toMatchObject({
      kind: "weakened_tests",
      detail: "fewer assertions in 1 place, 1 test gone",
      input: expect.stringContaining('"math.test.js", line 5: the test "takes %i" is gone'),
    });
    await journey.github.as("octocat").comment(ISSUE, "/flotilla approve");
    await journey.reached(ISSUE, "COMPLETED");
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
