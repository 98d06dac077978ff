import { setTimeout as pause } from "node:timers/promises";
import type { Stage } from "../src/demo/stage.ts";
import { withBareSessions } from "./bare-session.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { assertAsleep, copySleeper } from "./copied-sleepers.ts";
import { cpuMs, megabytesOf } from "./processes.ts";
import { fallAsleep, onStage } from "./waiting.ts";
import { timed, until } from "./work.ts";

/**
 * Measures what sleeping agents cost. It copies an agent that really fell asleep in the database, each copy on its own
 * issue, and restarts Flotilla. The reference is the same Flotilla before it had any agent.
 */
export const asleep: Bench = {
  name: "asleep",
  about: "start, memory and idle processor with agents that wait, beside a Flotilla without agents",
  run: (size) => onStage((stage, directory) => measure(stage, directory, size)),
};

const SIZES = {
  full: { many: 10_000, some: 100, kept: 4, rounds: 3, settleMs: 6_000, stretchMs: 12_000 },
  small: { many: 5, some: 3, kept: 1, rounds: 1, settleMs: 0, stretchMs: 20 },
} as const;

async function measure(stage: Stage, directory: string, size: Size): Promise<readonly Row[]> {
  const { many, some } = SIZES[size];
  const empty = await starts(stage, size);
  const idleEmpty = await idle(stage, size);
  const kept = await withBareSessions(SIZES[size].kept, { model: stage.model, directory }, (sessions) =>
    Promise.all(sessions.map(({ megabytes }) => megabytes())),
  );
  await fallAsleep(stage, 1);
  await stage.served().stop();
  await copySleeper(stage, 2, some + 1);
  await start(stage);
  await pause(SIZES[size].settleMs);
  const idleSome = await idle(stage, size);
  assertAsleep(stage, some);
  await stage.served().stop();
  await copySleeper(stage, some + 1, many + 1);
  const full = await starts(stage, size);
  assertAsleep(stage, many);
  return [
    {
      what: `start until ready, ${many.toLocaleString("en")} sleepers`,
      unit: "ms",
      ours: full.startMs,
      reference: { name: "no agents", rounds: empty.startMs },
    },
    {
      what: `memory of Flotilla, ${many.toLocaleString("en")} sleepers`,
      unit: "MB",
      ours: full.megabytes,
      reference: { name: "no agents", rounds: empty.megabytes },
    },
    {
      what: "memory of one sleeper",
      unit: "kB",
      ours: full.megabytes.map(
        (megabytes, round) => (1024 * (megabytes - (empty.megabytes[round] ?? 0))) / many,
      ),
      reference: {
        name: "its runtime, were it kept open",
        rounds: kept.map((megabytes) => 1024 * megabytes),
      },
    },
    {
      what: `idle processor, ${some} sleepers`,
      unit: "% of a core",
      ours: idleSome,
      reference: { name: "no agents", rounds: idleEmpty },
    },
  ];
}

interface Starts {
  readonly startMs: readonly number[];
  readonly megabytes: readonly number[];
}

/** Starts Flotilla several times, and measures its memory after recovery and the first rounds. */
async function starts(stage: Stage, size: Size): Promise<Starts> {
  const startMs: number[] = [];
  const megabytes: number[] = [];
  for (let round = 0; round < SIZES[size].rounds; round += 1) {
    startMs.push(await start(stage));
    await pause(SIZES[size].settleMs);
    megabytes.push(await megabytesOf(stage.served().pid));
  }
  return { startMs, megabytes };
}

/** Returns the milliseconds from the new process until it reports that it is ready. */
async function start(stage: Stage): Promise<number> {
  await stage.served().stop();
  return timed(async () => {
    await stage.restart("SIGTERM");
    await until("it is ready", async () => (await fetch(`${stage.served().url}/readyz`)).ok);
  });
}

/** Returns the CPU time of all its threads, as a share of one core, for each interval. */
async function idle(stage: Stage, size: Size): Promise<readonly number[]> {
  const { rounds, stretchMs } = SIZES[size];
  const shares: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await cpuMs(stage.served().pid);
    const took = await timed(() => pause(stretchMs));
    shares.push((100 * ((await cpuMs(stage.served().pid)) - before)) / took);
  }
  return shares;
}
