import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { recordedWebhooks } from "../webhooks/recorded-webhooks.ts";
import { aScenario } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { secretsOf } from "./secrets-of.ts";
import { signedPost } from "./signed-post.ts";

describe("every webhook of GitHub's recorded examples, posted to a serving process", () => {
  const recorded = recordedWebhooks();
  const answers = new Map<number, number>();
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: aScenario({ conversations: [] }) });
    const { url, pid } = journey.served();
    const { WEBHOOK_SECRET } = secretsOf(pid);
    await Promise.all(
      recorded.map(async (webhook) => {
        const { status } = await signedPost(url, WEBHOOK_SECRET, webhook);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }),
    );
    await journey.quiet();
  }, 150_000);
  afterAll(() => journey.close());

  it("is accepted with 202", () => {
    expect(recorded).toHaveLength(329);
    expect([...answers]).toEqual([[202, 329]]);
  });

  it("ends as done, or as ignored with a reason, at the first attempt", () => {
    const rows = journey.rows("SELECT guid, state, note, attempts FROM delivery");
    expect(rows).toHaveLength(329);
    const bad = rows.filter(
      ({ state, note, attempts }) => attempts !== 0 || !(state === "done" || (state === "ignored" && note)),
    );
    expect(bad).toEqual([]);
    proved({
      promise: "Every webhook that GitHub's examples record ends, at the first try",
      test: "test/journeys/recorded-payloads.test.ts",
      figure: `${rows.length} taken, ${bad.length} not settled`,
    });
  });

  it("leaves a decision if it is done", () => {
    const undecided = journey.rows(
      `SELECT guid FROM delivery WHERE state = 'done'
       AND guid NOT IN (SELECT delivery FROM decision WHERE delivery IS NOT NULL)
       AND guid NOT IN (SELECT delivery FROM transition WHERE delivery IS NOT NULL)`,
    );
    expect(undecided).toEqual([]);
  });

  it("starts no agent, and leaves the process running and its database consistent", async () => {
    expect((await fetch(`${journey.served().url}/healthz`)).status).toBe(200);
    expect(journey.rows("SELECT name FROM agent")).toEqual([]);
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
