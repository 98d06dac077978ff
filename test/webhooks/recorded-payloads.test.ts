import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import type { RepositoryEvent } from "../../src/domain/events/repository-event.ts";
import type { DeliveryRow } from "../../src/domain/kernel/rows.ts";
import { isUsedEvent } from "../../src/webhooks/events/table.ts";
import { createReceiver, flotillaApp } from "../../src/webhooks/probot-receiver.ts";
import { createDeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { CLAIMS, OURS } from "../factories/leases.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createMemoryLog } from "./memory-log.ts";
import { createReadingRig } from "./reading-rig.ts";
import { recordedWebhooks } from "./recorded-webhooks.ts";
import { post, serveRoute } from "./serve-route.ts";
import { SCENES } from "./steering/scenes.ts";
import { stoppedClock } from "./stopped-clock.ts";

const RECORDED = recordedWebhooks();
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

describe("every webhook that GitHub's examples record", () => {
  const log = createMemoryLog();
  const handled = new Map<string, DomainEvent | RepositoryEvent>();
  const statuses = new Set<number>();
  let served: Awaited<ReturnType<typeof serveRoute>>;
  let rows: readonly DeliveryRow[] = [];

  beforeAll(async () => {
    const store = memoryStore();
    const { deliveries } = store;
    served = await serveRoute(deliveries);
    const rig = createReadingRig({ repositories: ["*/*"] });
    const settle = async (guid: string, state: "done" | "ignored", note: string | null) =>
      void (await deliveries.settle(guid, OURS.token, state, note, rig.now));
    const app = flotillaApp({
      ...rig.tools,
      // The recorded repositories are many; one answer does for all of them.
      github: {
        permission: async () => "write",
        pullRequests: async () => [],
        reviews: async () => [],
        pullRequest: () => Promise.reject(new Error("no recorded comment is on a pull request of ours")),
        issue: () => Promise.reject(new Error("no recorded comment is on a pull request of ours")),
      },
      repositories: { get: async (id) => ({ ...installed, id }) },
      async handle(event) {
        handled.set(event.delivery, event);
        await settle(event.delivery, "done", null);
      },
      ignore: (delivery, reason) => settle(delivery, "ignored", reason),
    });
    const baseUrl = "http://127.0.0.1:1";
    const receive = createReceiver({ appId: 12, privateKey, secret: "s", baseUrl, app, log });
    const consumer = createDeliveryConsumer({
      deliveries,
      receive,
      ...CLAIMS,
      clock: stoppedClock(),
      log,
      concurrency: 4,
    });
    for (const { event, guid, body } of RECORDED) {
      const headers = { "x-github-event": event, "x-github-delivery": guid };
      statuses.add((await post(served.url, body, headers)).status);
    }
    await consumer.tick();
    rows = await deliveries.list({}, 1_000);
    await store.close();
  });
  afterAll(() => served.close());

  it("is taken with 202", () => {
    expect(RECORDED).toHaveLength(329);
    expect([...statuses]).toEqual([202]);
    expect(rows).toHaveLength(329);
  });

  it("ends done, or ignored with a reason, at the first try", () => {
    const bad = rows.filter(
      ({ state, note, attempts }) =>
        attempts > 0 || !(state === "done" || (state === "ignored" && note !== null)),
    );
    expect(bad).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  it("is understood when it is of a kind that we use", () => {
    const used = rows.filter((row) => isUsedEvent(nameOf(row)));
    expect(used.filter(({ note }) => note?.startsWith("not understood"))).toEqual([]);
  });

  it("becomes an event that a scene of that webhook has", () => {
    const strange = rows.filter((row) => {
      const event = handled.get(row.guid);
      return event !== undefined && !readsOf(nameOf(row)).includes(event.type);
    });
    expect(strange).toEqual([]);
  });

  it("is ignored only where a scene of that webhook is, or another payload of it becomes an event", () => {
    const handledRows = rows.filter(({ guid }) => handled.has(guid));
    const ignoredOnly = usedNames(rows).difference(usedNames(handledRows));
    const mayBe = new Set(SCENES.flatMap(({ event, reads }) => ("ignored" in reads ? [event] : [])));
    expect(ignoredOnly.difference(mayBe)).toEqual(new Set());
  });
});

/** The webhook as the table of readers names it. */
function nameOf({ event, action }: Pick<DeliveryRow, "event" | "action">): string {
  return action === null ? event : `${event}.${action}`;
}

function usedNames(some: readonly DeliveryRow[]): Set<string> {
  return new Set(some.map(nameOf).filter(isUsedEvent));
}

function readsOf(name: string): readonly string[] {
  return SCENES.flatMap(({ event, reads }) => (event === name && "type" in reads ? [reads.type] : []));
}

const installed = { id: 1, owner: "o", name: "n", installationId: 5, private: true, defaultBranch: "main" };
