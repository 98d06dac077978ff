import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { control } from "../../src/cli/control-client.ts";
import { print } from "../domain/traces/print.ts";
import { randomOf, shuffled } from "../random.ts";
import { endState } from "./end-state.ts";
import { type Journey, startJourney } from "./journey.ts";
import { SMALL_END, SMALL_SCENARIO, tellSmallStory } from "./small-story.ts";
import { until } from "./until.ts";

/** How long webhooks are collected before they are released, and how long a lost one is missing. */
const HELD_MS = 120;
const SWEPT_MS = 300;

describe("the story with half of the webhooks lost, a fifth sent twice, and concurrent ones in random order", () => {
  let journey: Journey;
  const met = { lost: 0, twice: 0, mixed: 0 };
  let random: () => number;

  beforeAll(async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    print(`disorder: seed ${seed}`);
    random = randomOf(seed);
    journey = await startJourney({ scenario: SMALL_SCENARIO });
    const { webhooks } = journey.github;
    const twice = new Set<unknown>();
    webhooks.filter = (pending) => {
      const chance = random();
      if (chance < 0.5) {
        met.lost += 1;
        return "drop";
      }
      if (chance < 0.7) twice.add(pending);
      return "hold";
    };
    const letGo = setInterval(() => {
      const held = shuffled(webhooks.held(), random);
      met.mixed += held.length > 1 ? held.length : 0;
      met.twice += held.filter((one) => twice.has(one)).length;
      webhooks.release(held.flatMap((one) => (twice.has(one) ? [one, one] : [one])));
    }, HELD_MS);
    const sweep = setInterval(() => {
      control(journey.dataDir, "/deliveries/sweep").catch(() => {});
    }, SWEPT_MS);
    try {
      await tellSmallStory(journey);
      webhooks.filter = () => "send";
      webhooks.release();
      await until("nothing is missing any more", async () => {
        const { body } = await control(journey.dataDir, "/deliveries/sweep");
        // GitHub's rate limit may require a wait before the next request.
        return z.looseObject({ asked: z.int().optional() }).parse(body).asked === 0;
      });
    } finally {
      clearInterval(letGo);
      clearInterval(sweep);
    }
    await journey.quiet();
  }, 200_000);
  afterAll(() => journey.close());

  it("loses, doubles and reorders webhooks", () => {
    expect(met.lost).toBeGreaterThan(20);
    expect(met.twice).toBeGreaterThan(5);
    expect(met.mixed).toBeGreaterThan(10);
    const guids = new Set(journey.github.webhooks.deliveries().map(({ guid }) => guid));
    expect(journey.rows("SELECT 1 FROM delivery")).toHaveLength(guids.size);
  });

  it("ends in the same state as without disorder", async () => {
    expect(await endState(journey)).toEqual(SMALL_END);
  });

  it("settles each delivery once, at the first attempt", () => {
    const bad = journey.rows(
      "SELECT guid, state, note, attempts FROM delivery WHERE attempts > 0 OR state NOT IN ('done', 'ignored')",
    );
    expect(bad).toEqual([]);
  });

  it("handles no delivery twice, so that none records its decision twice", () => {
    const all = journey.rows("SELECT delivery, rule FROM decision WHERE delivery IS NOT NULL");
    const twice = journey.rows(
      "SELECT delivery, rule, count(*) AS times FROM decision WHERE delivery IS NOT NULL GROUP BY delivery, rule, agent_id HAVING times > 1",
    );
    expect(all.length).toBeGreaterThan(3);
    expect(twice).toEqual([]);
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
