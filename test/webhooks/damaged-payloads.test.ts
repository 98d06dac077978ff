import { generateKeyPairSync } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { EVENTS, type EventName } from "../../src/webhooks/events/table.ts";
import { createReceiver, flotillaApp } from "../../src/webhooks/probot-receiver.ts";
import { createDeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { damaged, GONE, pathsOf, WRONG } from "../adapters/github/damage.ts";
import { CLAIMS, OURS } from "../factories/leases.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { addIssue } from "../fakes/github-world.ts";
import { proved } from "../proved.ts";
import { randomOf } from "../random.ts";
import { createMemoryLog } from "./memory-log.ts";
import { BOT, createReadingRig, envelope, rowOf, WRITER } from "./reading-rig.ts";
import { post, serveRoute } from "./serve-route.ts";
import { ACTORS } from "./steering/actors.ts";
import { BRANCH } from "./steering/scene.ts";
import { SCENES } from "./steering/scenes.ts";
import { stoppedClock } from "./stopped-clock.ts";

const SEED = 16;
const DELIVERED = 300;

/** The payload of each webhook's first scene, whole, sent by a person with write permission. */
const WHOLE = ACTORS.filter(({ who }) => who === "write").flatMap((actor) =>
  [...new Map(SCENES.toReversed().map((scene) => [scene.event, scene])).values()].map(
    ({ event, payload }) => ({ event, payload: { ...payload(actor), ...envelope(WRITER) } }),
  ),
);

/** GitHub answers whatever is looked up. */
function toolsOf(rig: ReturnType<typeof createReadingRig>) {
  addIssue(rig.world, { title: "Broken", author: WRITER });
  rig.addPull({ number: 50, author: BOT, headRef: BRANCH });
  const github = {
    ...rig.github,
    permission: async () => "write" as const,
    pullRequests: async () => [],
    pullRequest: () => rig.github.pullRequest(rowOf(), 50),
    reviews: async () => [],
    issue: () => rig.github.issue(rowOf(), 1),
  };
  return { ...rig.tools, github };
}

let read = 0;
let ignored = 0;
afterAll(() => {
  proved({
    promise:
      "A webhook with a missing or mistyped field is read or ignored with its reason, and never retried",
    test: "test/webhooks/damaged-payloads.test.ts",
    figure: `${read} damaged payloads of ${WHOLE.length} webhooks read, ${ignored} ignored with a reason; ${DELIVERED} delivered over HTTP`,
  });
});

it.each(WHOLE)(
  "$event is read or ignored with a reason, whatever field is missing or mistyped",
  async ({ event, payload: whole }) => {
    const tools = toolsOf(createReadingRig());
    const random = randomOf(SEED);
    const faults: string[] = [];
    const readOne = async (payload: unknown, what: string) => {
      read += 1;
      try {
        const reading = await EVENTS[event]({ id: `d-${read}`, payload }, tools);
        if (!("ignored" in reading)) return;
        ignored += 1;
        if (reading.ignored.length === 0) faults.push(`${what}: ignored without a reason`);
      } catch (error) {
        faults.push(`${what}: ${String(error)}`);
      }
    };
    for (const path of pathsOf(whole))
      for (const wrong of [GONE, null, WRONG[Math.floor(random() * WRONG.length)]])
        await readOne(damaged(whole, [path], wrong), `${String(wrong)} at ${path.join(".")}`);
    for (const payload of [null, [], {}, "text", 7]) await readOne(payload, JSON.stringify(payload));
    expect(faults).toEqual([]);
  },
);

/** GitHub's own form of the names of events. */
function split(name: EventName): { event: string; action: string | undefined } {
  const [event = "", action] = name.split(".");
  return { event, action };
}

it("is settled at its first try where it comes over HTTP, with the reason", async () => {
  const random = randomOf(SEED);
  const one = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const rig = createReadingRig();
  const log = createMemoryLog();
  const store = memoryStore();
  const { deliveries } = store;
  const served = await serveRoute(deliveries);
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const app = flotillaApp({
    ...toolsOf(rig),
    handle: async ({ delivery }) =>
      void (await deliveries.settle(delivery, OURS.token, "done", null, rig.now)),
    ignore: async (guid, reason) =>
      void (await deliveries.settle(guid, OURS.token, "ignored", reason, rig.now)),
  });
  const receive = createReceiver({
    appId: 12,
    privateKey,
    secret: "s",
    baseUrl: "http://127.0.0.1:1",
    app,
    log,
  });
  const consumer = createDeliveryConsumer({
    deliveries,
    receive,
    ...CLAIMS,
    clock: stoppedClock(),
    log,
    concurrency: 4,
  });
  /** What Probot itself looks at comes first, damaged in every way. */
  const around = [["installation"], ["installation", "id"], ["repository"], ["sender"]].flatMap((path) =>
    WRONG.map((wrong) => ({ path, wrong })),
  );
  for (let index = 0; index < DELIVERED; index += 1) {
    const sent = one(WHOLE);
    const { event, action } = split(sent?.event ?? "push");
    const whole = { ...sent?.payload, ...(action === undefined ? {} : { action }) };
    const { path, wrong } = around[index] ?? { path: one(pathsOf(whole)) ?? [], wrong: one(WRONG) };
    const body = JSON.stringify(damaged(whole, [path], wrong));
    const headers = { "x-github-event": event, "x-github-delivery": `d-${index}` };
    expect((await post(served.url, body, headers)).status).toBe(202);
  }
  await consumer.tick();
  const rows = await deliveries.list({}, DELIVERED + 1);
  await served.close();
  await store.close();
  expect(rows).toHaveLength(DELIVERED);
  const bad = rows.filter(
    ({ state, note, attempts }) =>
      attempts > 0 || !(state === "done" || (state === "ignored" && note !== null)),
  );
  expect(
    bad.map(({ event, action, state, note, attempts }) => ({ event, action, state, note, attempts })),
  ).toEqual([]);
});
