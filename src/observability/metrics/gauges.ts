import { statfsSync } from "node:fs";
import { Gauge, type Registry } from "prom-client";
import type { Waiting } from "../../domain/ports/audit-tables.ts";
import type { GitHubLeftovers, GitHubLimits } from "../../domain/ports/github-app.ts";
import type { Disk } from "../../domain/ports/runner.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { PEOPLE_WAITS, waitsForPeople } from "../../domain/reporting/waits-for-people.ts";

export interface Moment {
  readonly store: Tables;
  readonly github: GitHubLimits & GitHubLeftovers;
  readonly database: {
    /** Returns the bytes of the files beside the database, by part. */
    sizes(): Promise<Readonly<Record<string, number>>>;
  };
  readonly dataDir: string;
  readonly disk: Pick<Disk, "mirrors">;
  readonly ready: boolean;
  readonly now: number;
}

/** What gauges read: the moment of the scrape, and values that several of them use. */
interface Scrape extends Moment {
  readonly waiting: Waiting;
  readonly people: ReturnType<typeof waitsForPeople>;
  readonly fileSystem: { readonly bavail: number; readonly bsize: number; readonly ffree: number };
  /** Bytes; NaN where the mirrors cannot be read. */
  readonly mirrorsBytes: number;
}

/** The value of the gauge, or one value for each set of labels. */
type Reading = number | readonly (readonly [value: number, labels: Readonly<Record<string, string>>])[];

interface GaugeRow {
  readonly name: string;
  /** Describes the gauge in docs/metrics.md. */
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (scrape: Scrape) => Reading | Promise<Reading>;
}

const GAUGES: readonly GaugeRow[] = [
  {
    name: "inbox_deliveries",
    help: "Webhook deliveries that are not handled yet",
    labels: ["state"],
    read: ({ waiting }) => waiting.deliveries.map(({ count, ...labels }) => [count, labels]),
  },
  {
    name: "inbox_oldest_seconds",
    help: "Age of the oldest delivery that waits; 0 without one",
    labels: [],
    read: ({ waiting, now }) => secondsBetween(waiting.oldestDelivery ?? now, now),
  },
  {
    name: "outbox_effects",
    help: "Effects that are not done yet",
    labels: ["kind", "state"],
    read: ({ waiting }) => waiting.effects.map(({ count, ...labels }) => [count, labels]),
  },
  {
    name: "outbox_oldest_seconds",
    help: "Age of the oldest effect that waits; 0 without one. Labels and status comments may be put off for ten minutes",
    labels: [],
    read: ({ waiting, now }) => secondsBetween(waiting.oldestEffect ?? now, now),
  },
  {
    name: "agents",
    help: "Agents, ended ones too",
    labels: ["role", "state"],
    read: ({ waiting }) => waiting.agents.map(({ count, ...labels }) => [count, labels]),
  },
  {
    name: "waits_for_people",
    help: "What goes on only when a person acts: agents that ask, are at a limit or are held, and finished work that nobody works on",
    labels: ["kind"],
    read: ({ people }) =>
      PEOPLE_WAITS.map((kind) => [people.filter((wait) => wait.kind === kind).length, { kind }]),
  },
  {
    name: "waits_for_people_oldest_seconds",
    help: "How long the oldest of these waits; 0 without one",
    labels: ["kind"],
    read: ({ people, now }) =>
      PEOPLE_WAITS.map((kind) => {
        const since = people.filter((wait) => wait.kind === kind).map((wait) => wait.since);
        return [secondsBetween(Math.min(now, ...since), now), { kind }];
      }),
  },
  {
    name: "github_points_left",
    help: "Points that GitHub leaves the busiest installation in this minute",
    labels: [],
    read: ({ github }) => github.limitsLeft().points,
  },
  {
    name: "github_content_writes_left",
    help: "Comments, issues and the like that GitHub still allows in the window",
    labels: ["window"],
    read({ github }) {
      const { contentOfMinute, contentOfHour } = github.limitsLeft();
      return [
        [contentOfMinute, { window: "minute" }],
        [contentOfHour, { window: "hour" }],
      ];
    },
  },
  {
    name: "github_held_seconds",
    help: "Time until GitHub's limits hold nothing back any more",
    labels: ["what"],
    read: ({ github, now }) =>
      ["everything", "content"].map((what) => {
        const waits = github.limitWaits().filter((wait) => wait.what === what || wait.what === "everything");
        return [secondsBetween(now, Math.max(now, ...waits.map(({ until }) => until))), { what }];
      }),
  },
  {
    name: "database_bytes",
    help: "Size of the database",
    labels: ["part"],
    read: async ({ waiting, database }) => {
      const sizes = { database: waiting.databaseBytes, ...(await database.sizes()) };
      return Object.entries(sizes).map(([part, bytes]) => [bytes, { part }]);
    },
  },
  {
    name: "disk_free_bytes",
    help: "Free space on the disk of the data directory",
    labels: [],
    read: ({ fileSystem: { bavail, bsize } }) => bavail * bsize,
  },
  {
    name: "disk_free_files",
    help: "Files that can still be created there; 0 where the file system has no limit",
    labels: [],
    read: ({ fileSystem }) => fileSystem.ffree,
  },
  {
    name: "mirrors_bytes",
    help: "Disk space of the repositories' mirrors; counted again after ten minutes",
    labels: [],
    read: ({ mirrorsBytes }) => mirrorsBytes,
  },
  {
    name: "ready",
    help: "1 when Flotilla takes on work, 0 while it starts or stops",
    labels: [],
    read: ({ ready }) => (ready ? 1 : 0),
  },
];

/** Registers every gauge, and returns a function that sets all of them to their values at a moment. */
export function createGauges(registry: Registry): (moment: Moment) => Promise<void> {
  const mirrorsBytes = cachedMirrorsBytes();
  const gauges = GAUGES.map(({ name, help, labels, read }) => {
    const gauge = new Gauge({
      name: `flotilla_${name}`,
      help,
      labelNames: [...labels],
      registers: [registry],
    });
    return { gauge, read };
  });
  return async (moment) => {
    // Reading the inbox first moves the rows of its journal into the table.
    await moment.store.deliveries.list({}, 1);
    const scrape: Scrape = {
      ...moment,
      waiting: await moment.store.backlog.waiting(),
      people: await readPeople(moment.store),
      fileSystem: statfsSync(moment.dataDir),
      mirrorsBytes: await mirrorsBytes(moment),
    };
    for (const { gauge, read } of gauges) {
      const reading = await read(scrape);
      gauge.reset();
      if (typeof reading === "number") gauge.set(reading);
      else for (const [value, labels] of reading) gauge.set(labels, value);
    }
  };
}

async function readPeople({ records }: Pick<Tables, "records">): Promise<Scrape["people"]> {
  const tasks = await records.find("task", { state: ["READY_FOR_REVIEW", "APPROVED"] });
  const waiting = await records.find("agent", { state: ["SLEEPING", "ESCALATED"] });
  const known = new Set(waiting.map(({ id }) => id));
  const issues = [...new Set(tasks.map(({ issue }) => issue))];
  const beside = issues.length === 0 ? [] : await records.find("agent", { issue: issues });
  return waitsForPeople([...waiting, ...beside.filter(({ id }) => !known.has(id))], tasks);
}

const COUNT_AGAIN_MS = 10 * 60_000;

/** Returns a count of the mirrors' bytes that is at most ten minutes old: a count reads the name of each file. */
function cachedMirrorsBytes(): (moment: Pick<Moment, "disk" | "now">) => Promise<number> {
  let last: { readonly at: number; readonly bytes: Promise<number> } | null = null;
  return ({ disk, now }) => {
    if (last === null || now - last.at >= COUNT_AGAIN_MS) last = { at: now, bytes: countBytes(disk) };
    return last.bytes;
  };
}

function countBytes(disk: Pick<Disk, "mirrors">): Promise<number> {
  return disk.mirrors().then(
    ({ bytes }) => bytes,
    () => Number.NaN,
  );
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, to - from) / 1000;
}
