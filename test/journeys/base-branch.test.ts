import { afterAll, beforeAll, expect, it } from "vitest";
import { aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const ISSUE = 1;
const ELSEWHERE = 2;
const LABEL = "base:release-1";

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({
    scenario: aScenario({
      config: { bases: [{ label: LABEL, branch: "release-1" }] },
      conversations: [
        saysOn(ISSUE, [
          call("bash", { command: "cat release.txt", description: "Look at the release" }),
          ...makes("fix.md"),
        ]),
      ],
    }),
  });
}, 180_000);
afterAll(() => journey.close());

it("work that a label sends to a release branch begins there and goes there, and its issue is closed by the host once people merge it", async () => {
  const octocat = journey.github.as("octocat");
  await octocat.push(
    "release-1",
    { "release.txt": "one\n", "AGENTS.md": "Keep release 1 small.\n" },
    "Release 1",
  );
  await octocat.push("main", { "next.txt": "two\n" }, "Next");
  for (const title of ["Fix it", "Elsewhere"]) await octocat.openIssue({ title, body: "Please." });
  await octocat.comment(ELSEWHERE, "/flotilla start feat-dev on nowhere");
  await octocat.label(ISSUE, LABEL);
  await octocat.label(ISSUE, "feature");
  await journey.reached(ISSUE, "COMPLETED");
  await journey.quiet();

  const [pull] = journey.github.state().pulls();
  expect(pull?.pull.baseRef).toBe("release-1");
  expect(pull?.body).toContain(`- Goes to \`release-1\`: Flotilla closes #${ISSUE} once this is merged`);
  const { requests } = journey.model;
  const read = JSON.stringify(requests.at(-1)?.messages);
  expect(read).toContain("Your work goes to `release-1`");
  expect(read).toContain("Keep release 1 small.");
  expect(read).toContain("one");
  await octocat.merge(Number(pull?.number));
  await journey.until("the issue is closed", () => journey.github.state().issue(ISSUE)?.state === "closed");
  expect(journey.rows("SELECT state, base FROM task")).toEqual([{ state: "MERGED", base: "release-1" }]);
  const said = journey.github
    .state()
    .comments(ELSEWHERE)
    .map(({ body }) => body)
    .join("\n");
  expect(said).toContain("`nowhere` is not on the list of branches that work may go to: `main`, `release-1`");
  expect(await journey.violationsAfterStop()).toEqual([]);
}, 240_000);
