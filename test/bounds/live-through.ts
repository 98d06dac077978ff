import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReceiver, flotillaApp } from "../../src/webhooks/probot-receiver.ts";
import { createDeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { collectedMemory } from "../collected-memory.ts";
import { closed } from "../engine/people.ts";
import { createRig, type Rig } from "../engine/rig.ts";
import { commit, complete, edit, on, openPr } from "../engine/scripts.ts";
import { CLAIMS } from "../factories/leases.ts";
import { someSettings } from "../factories/some-settings.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";
import { dayOfWebhooks } from "./day-of-webhooks.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SAMPLES = 40;
const MERGED_AFTER = 60;

/** What a day came to; sizes in bytes. */
export interface Day {
  readonly taken: number;
  readonly unsettled: number;
  readonly completed: number;
  /** The most that the file ever held. */
  readonly walPeak: number;
  readonly database: number;
  /** Payloads that are still kept at the end. */
  readonly payloads: number;
  /** Worktrees and conversations that are left. */
  readonly worktrees: number;
  readonly sessions: number;
  /** From the second quarter of the day, when all is warm, to its last: medians, each after a collection. */
  readonly rssGrowth: number;
  readonly openFiles: { readonly before: number; readonly after: number };
}

/**
 * A day of webhooks on a clock that the test moves: real inbox, real consumer with Probot, real engine on a database
 * file, everything outside in memory. Then a week more, so that all that is kept for a time has had it.
 */
export async function liveThrough({
  deliveries,
  issues,
  minutes,
}: {
  deliveries: number;
  issues: number;
  minutes: number;
}): Promise<Day> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bounds-"));
  const before = openFiles();
  const database = join(directory, "flotilla.db");
  const rig = await createRig({
    database,
    watched: false,
    issues,
    script: scriptOf(issues),
    settings: SETTINGS,
  });
  try {
    const consumer = consumerOf(rig);
    const webhooks = dayOfWebhooks(rig);
    const per = { issues: issues / minutes, deliveries: deliveries / minutes };
    let [labelled, done, taken, walPeak] = [0, 0, 0, 0];
    const rss: number[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      const batch = [];
      for (; labelled < Math.floor(minute * per.issues); labelled += 1)
        batch.push(webhooks.label(labelled + 1));
      while (taken + batch.length < Math.floor(minute * per.deliveries)) batch.push(webhooks.noise());
      // Merged by a person an hour later.
      const merged = Math.floor((minute - MERGED_AFTER) * per.issues);
      for (; done < merged; done += 1)
        await rig.engine.handle(closed(rig, done + 1, { merged: 1000 + done }));
      await rig.store.deliveries.insert(batch);
      taken += batch.length;
      await consumer.tick();
      walPeak = Math.max(walPeak, sizeOf(`${database}-wal`));
      await rig.pass(MINUTE_MS);
      if (minute % Math.ceil(minutes / SAMPLES) === 0) rss.push(collectedMemory().rss);
    }
    const rssGrowth = median(rss.slice(-SAMPLES / 4)) - median(rss.slice(SAMPLES / 4, SAMPLES / 2));
    for (let hours = 0; hours <= 8 * 24; hours += 4) await rig.pass(4 * HOUR_MS);
    const rows = await rig.store.deliveries.list({}, deliveries + 1);
    const kept = await Promise.all(rows.slice(0, 100).map(({ guid }) => rig.store.deliveries.get(guid)));
    const agents = await rig.store.records.find("agent", { state: "COMPLETED" });
    const day = {
      taken: rows.length,
      unsettled: rows.filter(({ state }) => state !== "done" && state !== "ignored").length,
      completed: agents.length,
      walPeak,
      database: sizeOf(database),
      payloads: kept.filter((row) => row?.payload !== "").length,
      worktrees: agents.filter(({ name }) => rig.worktrees.read(name, "README.md") !== null).length,
      sessions: rig.runtime.running.size,
      rssGrowth,
    };
    await consumer.stop();
    await rig.close();
    return { ...day, openFiles: { before, after: openFiles() } };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const SETTINGS = {
  attention: { openPrs: 100_000 },
  repositoryPerDay: { maxCostUsd: undefined, maxAgents: 100_000 },
  retention: { worktreesMs: 7 * 24 * HOUR_MS, payloadsMs: HOUR_MS, keptMs: someSettings().retention.keptMs },
};

function scriptOf(issues: number) {
  return Array.from({ length: issues }, (_, index) =>
    on(index + 1, edit(`feature-${index + 1}.ts`), commit, openPr, complete),
  );
}

export function consumerOf(rig: Rig) {
  const log = createMemoryLog();
  const receive = createReceiver({
    appId: 1,
    privateKey: "no request is made with it",
    secret: "neither is anything signed with this",
    baseUrl: "http://127.0.0.1:9",
    app: flotillaApp({
      settings: someSettings(SETTINGS),
      ownSettings: rig.context.ownSettings,
      github: rig.github,
      repositories: rig.store.repositories,
      deliveries: rig.store.deliveries,
      identity: { slug: "flotilla", botId: rig.context.identity.botId },
      handle: (told, claim) => rig.engine.handle(told, claim),
      ignore: (delivery, reason, claim) => rig.engine.ignore(delivery, reason, claim),
      clock: rig.clock,
      log,
    }),
    log,
  });
  return createDeliveryConsumer({
    deliveries: rig.store.deliveries,
    receive,
    ...CLAIMS,
    clock: rig.clock,
    log,
    concurrency: 8,
  });
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
