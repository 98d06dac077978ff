import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { effect } from "../../src/core/effect.ts";
import { endState } from "./end-state.ts";
import { type Journey, startJourney } from "./journey.ts";
import { processesOf } from "./processes-of.ts";
import { SMALL_END, SMALL_SCENARIO, tellSmallStory } from "./small-story.ts";
import { until } from "./until.ts";

/** Nobody reviews here; test/engine/review-crash.test.ts ends the process after these. */
const OF_REVIEWS = ["offer_review", "publish_verdict"];

/** Work must be approved before it comes into the merge train; test/engine/train.test.ts ends the process after these. Nobody plans here; test/engine/planner.test.ts does so. */
const ON_THE_RIG = ["look_at_train", "update_branch", "merge_pull", "create_sub_issue", ...OF_REVIEWS];

const POINTS = [
  ...effect.options
    .map((kind) => kind.shape.kind.value)
    .filter((kind) => !ON_THE_RIG.includes(kind))
    .map((kind) => `effect:${kind}`),
  "turn:message",
  "turn:intent",
  "turn:ended",
];

describe("the story without a crash", () => {
  it("ends as it should", { timeout: 200_000 }, async () => {
    const journey = await startJourney({ scenario: SMALL_SCENARIO });
    try {
      await tellSmallStory(journey);
      expect(await endState(journey)).toEqual(SMALL_END);
      expect(await journey.violationsAfterStop()).toEqual([]);
    } finally {
      await journey.close();
    }
  });
});

describe("the story with a kill -9 after each kind of effect and at three moments of a turn", () => {
  const crashed: string[] = [];
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({
      scenario: SMALL_SCENARIO,
      env: { FLOTILLA_CRASH_AT: POINTS.join(",") },
    });
    const over = Promise.withResolvers<"over">();
    const lives = liveThrough(journey, crashed, over.promise);
    await tellSmallStory(journey).finally(() => over.resolve("over"));
    await lives;
    await journey.quiet();
  }, 400_000);
  afterAll(() => journey.close());

  it("dies at every one of them", () => {
    expect(crashed.toSorted()).toEqual(POINTS.toSorted());
  });

  it("ends the same, nothing lost and nothing doubled", async () => {
    expect(await endState(journey)).toEqual(SMALL_END);
  });

  it("leaves every delivery settled, and no process of a session", async () => {
    expect(journey.rows("SELECT guid, note FROM delivery WHERE state NOT IN ('done', 'ignored')")).toEqual(
      [],
    );
    const sessions = journey.rows("SELECT session_id FROM session").map((row) => String(row["session_id"]));
    expect(sessions.length).toBeGreaterThan(1);
    await until("all are gone", async () => (await processesOf(journey)).length === 0, 10);
  });

  it("breaks no rule of the lifecycles", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

/** Starts the process anew each time it has killed itself, without that point, and asks GitHub to deliver again what was lost. */
async function liveThrough(journey: Journey, crashed: string[], over: Promise<"over">): Promise<void> {
  const left = new Set(POINTS);
  while ((await Promise.race([journey.served().exited, over])) !== "over") {
    const point = await until(
      "the point is named",
      () => /crash point (\S+)/.exec(journey.served().log())?.[1],
      5,
    );
    left.delete(point);
    crashed.push(point);
    await journey.restart("SIGKILL", { FLOTILLA_CRASH_AT: [...left].join(",") });
    await redeliverLost(journey);
  }
}

async function redeliverLost({ github: { webhooks } }: Journey): Promise<void> {
  await webhooks.idle();
  const arrived = new Set(
    webhooks.deliveries().flatMap(({ guid, statusCode }) => (statusCode === 202 ? guid : [])),
  );
  const lost = new Map(webhooks.deliveries().map((delivery) => [delivery.guid, delivery]));
  for (const guid of arrived) lost.delete(guid);
  for (const delivery of lost.values()) webhooks.redeliver(delivery);
}
