import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { openDatabase } from "../src/adapters/store/sqlite/database.ts";
import { openStore, storeOn } from "../src/adapters/store/sqlite/open.ts";
import { advance } from "../src/engine/kernel/advance.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { factOf, labelled, type Occurrence, onRig, prepare } from "./facts.ts";
import { recordingWrites, replayer, type Write } from "./recorded-writes.ts";
import { inTemporary, timed } from "./work.ts";

/**
 * Measures how many facts per second the write path accepts, one transaction each, with a database on disk. The
 * reference is SQLite alone: the same rows, recorded once, in as many transactions of the same synchronous mode.
 */
export const advancing: Bench = {
  name: "advance",
  about: "facts through the one write path, beside bare SQLite transactions of the same rows",
  run: (size) =>
    inTemporary(async (directory) => {
      const rows: Row[] = [];
      for (const [what, occurrence] of FACTS) rows.push(await measure(what, occurrence, { directory, size }));
      return rows;
    }),
};

const SIZES = { full: { facts: 1000, rounds: 3 }, small: { facts: 3, rounds: 1 } } as const;

const FACTS: readonly (readonly [what: string, occurrence: (issue: number) => Occurrence])[] = [
  ["an issue gets its label: task, agent and effects", labelled("feature")],
  ["nothing is done: a decision", labelled("colour")],
];

async function measure(
  what: string,
  occurrence: (issue: number) => Occurrence,
  { directory, size }: { readonly directory: string; readonly size: Size },
): Promise<Row> {
  const { facts, rounds } = SIZES[size];
  const occurrences = Array.from({ length: facts }, (_, index) => occurrence(index + 1));
  const path = (name: string) => join(directory, `${what}-${name}.db`);
  const recorded = await record(path("recorded"), occurrences);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push((1000 * facts) / (await bareMs(path(`bare-${round}`), recorded)));
    ours.push((1000 * facts) / (await ourMs(path(`ours-${round}`), occurrences)));
  }
  return { what, unit: "per second", ours, reference: { name: "bare SQLite", rounds: bare } };
}

/** The writes of each fact. The first ones prepare the database. */
interface Recorded {
  readonly before: readonly Write[];
  readonly facts: readonly (readonly Write[])[];
}

async function record(path: string, occurrences: readonly Occurrence[]): Promise<Recorded> {
  const writes: Write[] = [];
  const store = storeOn(recordingWrites(await freshDatabase(path), writes));
  try {
    await prepare(store, occurrences);
    const before = writes.splice(0);
    const facts: Write[][] = [];
    await onRig(store, async (context) => {
      for (const occurrence of occurrences) {
        const { moved } = await advance(context, factOf(occurrence));
        if (moved.length === 0 && occurrence.label === "feature") throw new Error("the label moved nothing");
        facts.push(writes.splice(0));
      }
    });
    return { before, facts };
  } finally {
    await store.close();
  }
}

async function ourMs(path: string, occurrences: readonly Occurrence[]): Promise<number> {
  const store = storeOn(await freshDatabase(path));
  try {
    await prepare(store, occurrences);
    const facts = occurrences.map(factOf);
    return await onRig(store, (context) =>
      timed(async () => {
        for (const fact of facts) await advance(context, fact);
      }),
    );
  } finally {
    await store.close();
  }
}

async function bareMs(path: string, { before, facts }: Recorded): Promise<number> {
  const database = await freshDatabase(path);
  try {
    const replay = replayer(database);
    replay(before);
    return await timed(async () => facts.forEach(replay));
  } finally {
    database.close();
  }
}

/** Creates a database without an inbox, which would move deliveries into it during the measurement. */
async function freshDatabase(path: string): Promise<Database> {
  await (await openStore({ path })).close();
  return openDatabase(path);
}
