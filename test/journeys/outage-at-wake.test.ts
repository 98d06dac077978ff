import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const SLEEPERS = [1, 2, 3, 4];
const BLOCKER = 5;

const SCENARIO = aScenario({
  conversations: SLEEPERS.map((issue) =>
    saysOn(issue, [
      call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." }),
      ...after("You are awake again", makes(`part-${issue}.md`)),
    ]),
  ),
});

/** Pull requests of acme/app cannot be read; everything else answers. */
const PULLS = {
  path: /^\/repos\/acme\/app\/pulls(?:\?|$)/,
  kind: "status",
  status: 503,
  times: 10_000,
} as const;

describe("GitHub is unavailable for four agents that wake at once", { timeout: 300_000 }, () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO, patience: 120 });
    const here = journey.github.as("octocat");
    for (const issue of [...SLEEPERS, BLOCKER])
      await here.openIssue({ title: `Part ${issue}`, body: "Please." });
  }, 180_000);
  afterAll(() => journey.close());

  const agents = () => journey.rows("SELECT * FROM agent WHERE issue < 5 ORDER BY issue");
  const inError = () => agents().filter(({ sleep_reason: reason }) => reason === "retry");

  it("opens one incident, counts against no agent's limits, and lets all complete when GitHub is back", async () => {
    const octocat = journey.github.as("octocat");
    for (const issue of SLEEPERS) await octocat.label(issue, "feature");
    for (const issue of SLEEPERS) await journey.reached(issue, "SLEEPING");
    journey.github.faults.add(PULLS);
    await octocat.close(BLOCKER);
    await journey.until("one incident stands", () => journey.rows("SELECT state FROM incident").length > 0);
    // Three agents that fail alike are an incident. It holds the fourth unless that one got its wake before.
    await journey.until(
      "all are asleep, three or four of them in error",
      () => agents().every(({ state }) => state === "SLEEPING") && inError().length >= 3,
    );
    expect(journey.rows("SELECT state FROM incident")).toEqual([{ state: "open" }]);
    expect(journey.rows("SELECT state, failed_by FROM task WHERE issue < 5")).toEqual(
      SLEEPERS.map(() => ({ state: "CLAIMED", failed_by: "[]" })),
    );
    journey.github.faults.clear();
    // One that is in error: the fourth may still wait for its blocker.
    await octocat.comment(Number(inError()[0]?.["issue"]), "/flotilla retry");
    for (const issue of SLEEPERS) await journey.reached(issue, "COMPLETED");
    for (const agent of agents()) expect(agent).toMatchObject({ attempt: 1, restarts: 0, wakes: 1 });
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
