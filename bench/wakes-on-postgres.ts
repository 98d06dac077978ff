import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Stage } from "../src/demo/stage.ts";
import { wake } from "./awake.ts";
import type { Row, Size } from "./bench.ts";
import { allAsleep, fallAsleep, onStage } from "./waiting.ts";

const SIZES = {
  full: { processes: [1, 2, 4], agents: 4, wakes: 8, pauseMs: 2_000 },
  small: { processes: [1, 2], agents: 1, wakes: 1, pauseMs: 0 },
} as const;

/**
 * Measures how long waking an agent takes where so many processes, each with its share of the agents, use one PostgreSQL
 * database. GitHub sends all webhooks to the first one, so most agents are woken by another process than the one that
 * learns of the comment.
 */
export async function wakesOnPostgres(
  newDatabase: () => Promise<string>,
  size: Size,
): Promise<readonly Row[]> {
  const inFile = await onStage((stage) => wakesOf(stage, size));
  const [one, ...several] = await oneAfterAnother(SIZES[size].processes, async (count) => {
    const env = { DATABASE_URL: await newDatabase(), FLOTILLA_NODE: "node-1" };
    const ours = await onStage(async (stage, directory) => {
      for (let node = 2; node <= count; node += 1) await startBeside(stage, directory, `node-${node}`);
      return wakesOf(stage, size, env);
    }, env);
    return { count, ours };
  });
  if (one === undefined) return [];
  return [
    {
      what: "a comment until the woken agent's model call",
      unit: "ms",
      ours: one.ours,
      reference: { name: "SQLite file", rounds: inFile },
    },
    ...several.map(({ count, ours }) => ({
      what: `the same, ${count} processes on one database`,
      unit: "ms",
      ours,
      reference: { name: "1 process", rounds: one.ours },
    })),
  ];
}

async function startBeside(stage: Stage, directory: string, node: string): Promise<void> {
  const dataDir = join(directory, node);
  mkdirSync(dataDir, { mode: 0o700 });
  await stage.beside({ FLOTILLA_DATA_DIR: dataDir, FLOTILLA_NODE: node });
}

/** Returns the milliseconds of each wake, one at a time. */
async function wakesOf(
  stage: Stage,
  size: Size,
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly number[]> {
  const { agents, wakes, pauseMs } = SIZES[size];
  const issues = await fallAsleep(stage, agents, variables);
  return oneAfterAnother(Array.from({ length: wakes }).keys().toArray(), async (at) => {
    // Each wake causes comments, and GitHub accepts 80 per minute.
    await pause(pauseMs);
    const ms = await wake(stage, issues[at % agents] ?? 2, `word ${at};`);
    await allAsleep(stage, issues, variables);
    return ms;
  });
}

async function oneAfterAnother<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}
