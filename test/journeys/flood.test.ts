import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { delivery } from "../adapters/store/samples.ts";
import { aScenario } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const FLOOD = 400;
/** A webhook that nobody uses, in a lane of its own. */
const row = (id: number, issue: number) =>
  delivery({ guid: `${id}-${issue}`, event: "star", repositoryId: id, lane: `${id}#${issue}` });

describe("one repository has sent hundreds of webhooks, and another one after them", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({
      scenario: aScenario({ conversations: [] }),
      beside: [{ name: "beside", files: { "README.md": "# beside\n" } }],
    });
  }, 180_000);
  afterAll(() => journey.close());

  it("is handled before most of them", async () => {
    for (const repository of ["acme/app", "acme/beside"])
      await journey.github.as("octocat", repository).openIssue({ title: "First", body: "Please." });
    await journey.quiet();
    const ids = journey.rows("SELECT id FROM repository ORDER BY name").map(({ id }) => Number(id));
    const [app = 0, beside = 0] = ids;
    await journey.served().stop();
    const store = await openStore({ path: join(journey.dataDir, "flotilla.db") });
    const numbers = Array.from({ length: FLOOD }, (_, index) => index + 1);
    await store.deliveries.insert([...numbers.map((issue) => row(app, issue)), row(beside, 1)]);
    await store.close();
    await journey.restart("SIGTERM");
    await journey.quiet();
    const settled = journey.rows("SELECT repository_id, settled_at FROM delivery WHERE event = 'star'");
    expect(settled).toHaveLength(FLOOD + 1);
    const at = Number(settled.find(({ repository_id: id }) => id === beside)?.["settled_at"]);
    const before = settled.filter(({ settled_at: other }) => Number(other) < at);
    // Some were settled in the same millisecond.
    expect(before.length).toBeLessThan(FLOOD / 4);
  }, 120_000);
});
