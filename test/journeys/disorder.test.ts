import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endState } from "./end-state.ts";
import { type Journey, startJourney } from "./journey.ts";
import { SMALL_END, SMALL_SCENARIO, tellSmallStory } from "./small-story.ts";

/** How long webhooks pile up before they are let go. */
const HELD_MS = 250;

describe("the story with each webhook sent twice, and those of a moment in reversed order", () => {
  let journey: Journey;
  let reversed = 0;

  beforeAll(async () => {
    journey = await startJourney({ scenario: SMALL_SCENARIO });
    const { webhooks } = journey.github;
    webhooks.filter = () => "hold";
    const letGo = setInterval(() => {
      const held = webhooks.held();
      reversed += held.length > 1 ? held.length : 0;
      webhooks.release(held.toReversed().flatMap((one) => [one, one]));
    }, HELD_MS);
    try {
      await tellSmallStory(journey);
    } finally {
      clearInterval(letGo);
    }
    webhooks.filter = () => "twice";
    webhooks.release();
    await journey.quiet();
  }, 200_000);
  afterAll(() => journey.close());

  it("had webhooks to mix up", () => {
    expect(reversed).toBeGreaterThan(10);
    expect(journey.github.webhooks.deliveries().length).toBeGreaterThan(
      2 * journey.rows("SELECT 1 FROM delivery").length - 5,
    );
  });

  it("ends the same", async () => {
    expect(await endState(journey)).toEqual(SMALL_END);
  });

  it("settles each delivery once, at the first try", () => {
    const bad = journey.rows(
      "SELECT guid, state, note, attempts FROM delivery WHERE attempts > 0 OR state NOT IN ('done', 'ignored')",
    );
    expect(bad).toEqual([]);
  });

  it("handles no delivery a second time, so none leaves its decision twice", () => {
    const all = journey.rows("SELECT delivery, rule FROM decision WHERE delivery IS NOT NULL");
    const twice = journey.rows(
      "SELECT delivery, rule, count(*) AS times FROM decision WHERE delivery IS NOT NULL GROUP BY delivery, rule, agent_id HAVING times > 1",
    );
    expect(all.length).toBeGreaterThan(3);
    expect(twice).toEqual([]);
  });

  it("breaks no rule of the lifecycles", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
