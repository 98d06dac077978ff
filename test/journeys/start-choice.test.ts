import { afterAll, beforeAll, expect, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const BLOCKER = 1;
const CHOSEN = 2;
const waits = call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." });
const forbidden = call("comment", { body: "I say more than I may." });
const PRICE = { in: 2, cached: 0.5, out: 8 };

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({
    scenario: aScenario({
      conversations: [saysOn(CHOSEN, [forbidden, waits, ...after("#1", makes("chosen.md"))])],
      config: {
        runtime: { models: ["gpt-5-mini"], prices: { "gpt-4.1": PRICE, "gpt-5-mini": PRICE } },
      },
    }),
  });
}, 180_000);
afterAll(() => journey.close());

it("a model, tools and a temperature of a start are those of the real session, of every request to the provider, and of what is shown", async () => {
  const octocat = journey.github.as("octocat");
  for (const title of ["First", "Then"]) await octocat.openIssue({ title, body: "Please." });
  await octocat.comment(
    CHOSEN,
    "/flotilla start feat-dev model=gpt-5-mini tools=shell,read_issue temperature=0.2 tag=frugal",
  );
  await journey.reached(CHOSEN, "SLEEPING");
  await journey.restart("SIGKILL");
  await octocat.close(BLOCKER);
  await journey.reached(CHOSEN, "COMPLETED");

  const { requests } = journey.model;
  expect(requests.length).toBeGreaterThan(5);
  expect([...new Set(requests.map(({ model }) => model))]).toEqual(["gpt-5-mini"]);
  expect([...new Set(requests.map(({ temperature }) => temperature))]).toEqual([0.2]);
  for (const { tools } of requests) {
    expect(tools).toEqual(expect.arrayContaining(["bash", "read_issue", "commit", "report_complete"]));
    for (const left of ["comment", "edit", "create", "view", "list_fleet", "create_blocker_issue"])
      expect(tools).not.toContain(left);
  }
  const comments = journey.github.state().comments(CHOSEN);
  expect(comments.map(({ body }) => body).join()).not.toContain("I say more than I may");
  expect(journey.rows("SELECT tool, status FROM tool_call ORDER BY id LIMIT 1")).toEqual([
    { tool: "comment", status: "denied" },
  ]);
  expect(journey.rows("SELECT DISTINCT model FROM usage")).toEqual([{ model: "gpt-5-mini" }]);
  expect(journey.rows("SELECT cost_micro_usd > 0 AS paid FROM agent WHERE issue = ?", CHOSEN)).toEqual([
    { paid: 1 },
  ]);
  expect((await journey.api.agents()).filter(({ issue }) => issue === CHOSEN)).toMatchObject([
    { model: "gpt-5-mini", tools: ["shell", "read_issue"], temperature: 0.2, tags: ["frugal"] },
  ]);
  expect(await journey.violationsAfterStop()).toEqual([]);
}, 240_000);
