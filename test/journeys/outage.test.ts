import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const LIMIT_S = 30;
const MINUTE_MS = 60_000;

const ONE_SLOT = aScenario({
  config: {
    runtime: { max_concurrent_agents: 1 },
    circuit_breakers: { defaults: { max_active_duration: `${LIMIT_S}s` } },
  },
  conversations: [saysOn(1, makes("first.md")), saysOn(2, makes("second.md")), saysOn(3, makes("third.md"))],
});

/** Git's address of acme/app answers 503; the API works. */
const GIT = { path: /^\/acme\/app(?:\.git)?\//, kind: "status", status: 503, times: 10_000 } as const;

describe("GitHub's git is unavailable for longer than an agent may work", { timeout: 6 * MINUTE_MS }, () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({
      scenario: ONE_SLOT,
      beside: [{ name: "beside", private: true, files: { "README.md": "# beside\n" } }],
      patience: 200,
    });
    const here = journey.github.as("octocat");
    await here.openIssue({ title: "First", body: "Please." });
    const beside = journey.github.as("octocat", "acme/beside");
    for (const title of ["Zeroth", "Second", "Third"]) await beside.openIssue({ title, body: "Please." });
  }, 180_000);
  afterAll(() => journey.close());

  const agentOf = (issue: number) => journey.rows("SELECT * FROM agent WHERE issue = ?", issue).at(-1);
  const triesOf = (issue: number) =>
    journey.rows(
      `SELECT at FROM transition WHERE machine = 'run' AND event = 'ERROR' AND agent_id =
        (SELECT max(id) FROM agent WHERE issue = ?) ORDER BY id`,
      issue,
    );
  const statusOf = (issue: number, repository = "acme/app") =>
    journey.github
      .state(repository)
      .comments(issue)
      .find(({ body }) => body.startsWith("### Flotilla"))?.body ?? "";

  it("frees the slot for another issue, says what is unavailable, and completes by itself when git is back", async () => {
    journey.github.faults.add(GIT);
    await journey.github.as("octocat").label(1, "feature");
    await journey.until("the first waits in error", () => agentOf(1)?.["sleep_reason"] === "retry");
    expect(journey.rows("SELECT state, remembered FROM run WHERE issue = 1")).toEqual([
      { state: "error", remembered: "initializing" },
    ]);
    await journey.until("the issue says so", () =>
      /waits to try again, not before \d{4}-\S+ \S+ UTC: GitHub's git server cannot be reached: /.test(
        statusOf(1),
      ),
    );
    // The only slot is free.
    await journey.github.as("octocat", "acme/beside").label(2, "feature");
    await journey.reached(2, "COMPLETED");
    await journey.until("it was away for longer than the limit", () => {
      const tries = triesOf(1).map(({ at }) => Number(at));
      return (tries.at(-1) ?? 0) - (tries[0] ?? 0) > LIMIT_S * 1000;
    });
    expect(agentOf(1)).toMatchObject({ state: "SLEEPING", active_ms: 0, restarts: 0, wakes: 0 });
    journey.github.faults.clear();
    await journey.reached(1, "COMPLETED");
    expect(journey.rows("SELECT failed_by FROM task WHERE issue = 1")).toEqual([{ failed_by: "[]" }]);
    expect(agentOf(1)).toMatchObject({ attempt: 1, restarts: 0, wakes: 0 });
  });

  it("continues immediately after the outage when the operator retries", async () => {
    const fault = { ...GIT, path: /^\/acme\/beside(?:\.git)?\// };
    journey.github.faults.add(fault);
    await journey.github.as("octocat", "acme/beside").label(3, "feature");
    await journey.until(
      "it has tried twice",
      () => triesOf(3).length === 2 && agentOf(3)?.["state"] === "SLEEPING",
    );
    journey.github.faults.clear();
    await journey.github.as("octocat", "acme/beside").comment(3, "/flotilla retry");
    await journey.reached(3, "COMPLETED");
    expect(triesOf(3)).toHaveLength(2);
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
