import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { z } from "zod";
import type { Stage } from "../src/demo/stage.ts";
import { timesOfLists, type WebhookLoad, webhooksBesideReaders } from "./apart.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { assertAsleep, copySleeper } from "./copied-sleepers.ts";
import { copyEndedWork } from "./ended-work.ts";
import { fallAsleep, onStage } from "./waiting.ts";
import { until } from "./work.ts";

/**
 * Measures how long lists, the overview and webhooks take as the database grows. The reference is the smallest
 * database. Flotilla, the sender of webhooks and the readers are separate processes.
 */
export const grown: Bench = {
  name: "grown",
  about: "lists, overview and webhooks with up to 100,000 tasks, a tenth of them asleep, beside 100 tasks",
  run: (size) => onStage((stage) => measure(stage, size)),
};

/** Number of tasks. A tenth of them wait with a sleeping agent, the others have ended. */
const SIZES = {
  full: {
    tasks: [100, 1_000, 10_000, 100_000],
    rounds: 20,
    readers: 10,
    webhooks: { count: 600, everyMs: 20 },
    settleMs: 6_000,
  },
  small: { tasks: [20, 40], rounds: 1, readers: 2, webhooks: { count: 4, everyMs: 0 }, settleMs: 0 },
} as const;

const LISTS = ["/api/overview", "/api/tasks", "/api/agents", "/api/waiting"];
/** The paths that the ten readers request in turn. */
const READ = [
  ...LISTS,
  "/",
  "/healthz",
  "/api/agents?state=SLEEPING",
  "/api/tasks?order=latest&state=MERGED",
];

/** The measurements at one size, in milliseconds. */
interface Measured {
  readonly tasks: number;
  /** One value per round, by path. */
  readonly reads: ReadonlyMap<string, readonly number[]>;
  /** 99 % of the webhooks were answered within this time. */
  readonly webhooks: number;
  /** 99 % of the sender's own timers were late by at most this: the time it waited for the CPU. */
  readonly late: number;
}

async function measure(stage: Stage, size: Size): Promise<readonly Row[]> {
  const secret = randomBytes(32).toString("hex");
  await fallAsleep(stage, 1);
  const payload = commentOf(stage);
  const all: Measured[] = [];
  let before = { asleep: 1, ended: 0 };
  for (const tasks of SIZES[size].tasks) {
    const now = { asleep: tasks / 10, ended: tasks - tasks / 10 };
    await stage.served().stop();
    await copySleeper(stage, before.asleep + 1, now.asleep + 1);
    copyEndedWork(stage.dataDir, before.ended, now.ended, Date.now());
    before = now;
    await stage.restart("SIGTERM", { WEBHOOK_SECRET: secret });
    // Its own webhooks would be refused, and are not needed.
    stage.github.setWebhook({ url: "", secret: "" });
    await until("it is ready", async () => (await fetch(`${stage.served().url}/readyz`)).ok);
    await pause(SIZES[size].settleMs);
    const reads = await timesOfReads(stage, size);
    all.push({ tasks, reads, ...(await slowestWebhooks(stage, { secret, payload }, size)) });
    assertAsleep(stage, now.asleep);
  }
  const [least] = all;
  return least === undefined ? [] : all.flatMap((one) => rowsOf(one, least, size));
}

function rowsOf({ tasks, reads, webhooks, late }: Measured, least: Measured, size: Size): readonly Row[] {
  const name = `${least.tasks} tasks`;
  const count = `${tasks.toLocaleString("en")} tasks`;
  return [
    ...LISTS.map((path) => ({
      what: `${path}, ${count}`,
      unit: "ms",
      ours: reads.get(path) ?? [],
      reference: { name, rounds: least.reads.get(path) ?? [] },
    })),
    {
      what: `99 % of webhooks answered within, beside ${SIZES[size].readers} readers, ${count}`,
      unit: "ms",
      ours: [webhooks],
      reference: { name, rounds: [least.webhooks] },
    },
    {
      what: `99 % of the sender's own timers late by at most, ${count}`,
      unit: "ms",
      ours: [late],
      reference: { name, rounds: [least.late] },
    },
  ];
}

async function timesOfReads(stage: Stage, size: Size): Promise<Measured["reads"]> {
  const { url } = stage.served();
  const { rounds } = SIZES[size];
  const took = await timesOfLists({ url, token: tokenOf(stage), paths: LISTS, rounds });
  return new Map(LISTS.map((path, index) => [path, took[index] ?? []]));
}

/**
 * Returns the time within which 99 % of the webhooks, and of the sender's timers, complete while readers read
 * continuously.
 */
async function slowestWebhooks(
  stage: Stage,
  signed: Pick<WebhookLoad, "secret" | "payload">,
  size: Size,
): Promise<Pick<Measured, "webhooks" | "late">> {
  const { url } = stage.served();
  const { readers, webhooks } = SIZES[size];
  const { took, late } = await webhooksBesideReaders(
    { url, token: tokenOf(stage), paths: READ, readers },
    { url, ...signed, ...webhooks },
  );
  return { webhooks: mostOf(took), late: mostOf(late) };
}

/** Returns the 99th percentile. */
function mostOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
}

function tokenOf(stage: Stage): string {
  return new URL(stage.dashboard()).hash.slice("#token=".length);
}

/** Builds the payload of a comment on issue 2 from the recorded webhook that opened an issue. */
function commentOf({ dataDir }: Stage): WebhookLoad["payload"] {
  const database = new SqliteDatabase(join(dataDir, "flotilla.db"), { readonly: true });
  try {
    const payload = database
      .prepare("SELECT payload FROM delivery WHERE event = 'issues' AND action = 'opened'")
      .pluck()
      .get();
    const opened = z.looseObject({ issue: z.looseObject({}) }).parse(JSON.parse(String(payload)));
    return {
      ...opened,
      action: "created",
      issue: { ...opened.issue, number: 2 },
      comment: { body: "I think so too.", html_url: "http://127.0.0.1/" },
    };
  } finally {
    database.close();
  }
}
