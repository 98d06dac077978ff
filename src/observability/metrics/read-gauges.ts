import { statfsSync } from "node:fs";
import type { GitHubLeftovers, GitHubLimits } from "../../domain/ports/github-app.ts";
import type { Disk } from "../../domain/ports/runner.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Instruments } from "./instruments.ts";

export interface Moment {
  readonly store: Pick<Tables, "backlog" | "deliveries">;
  readonly github: GitHubLimits & GitHubLeftovers;
  /** Tells the bytes of what lies beside the database, by its part. */
  readonly database: { sizes(): Readonly<Record<string, number>> };
  readonly dataDir: string;
  readonly disk: Pick<Disk, "mirrors">;
  readonly ready: boolean;
  readonly now: number;
}

const COUNT_AGAIN_MS = 10 * 60_000;

/** What the mirrors take, in bytes; NaN where they cannot be read. Counting reads the name of each file, so a count stands for ten minutes. */
export function rareCount(): (moment: Pick<Moment, "disk" | "now">) => Promise<number> {
  let last: { readonly at: number; readonly bytes: Promise<number> } | null = null;
  return ({ disk, now }) => {
    if (last === null || now - last.at >= COUNT_AGAIN_MS) last = { at: now, bytes: countedBytes(disk) };
    return last.bytes;
  };
}

function countedBytes(disk: Pick<Disk, "mirrors">): Promise<number> {
  return disk.mirrors().then(
    ({ bytes }) => bytes,
    () => Number.NaN,
  );
}

/** Sets every gauge to what is so at this moment. */
export async function readGauges(
  to: Instruments,
  moment: Moment,
  mirrorsBytes: ReturnType<typeof rareCount>,
): Promise<void> {
  // Looking at the inbox moves what lies in its journal into the table.
  await moment.store.deliveries.list({}, 1);
  const waiting = await moment.store.backlog.waiting();
  const age = (since: number | null): number => (since === null ? 0 : Math.max(0, moment.now - since) / 1000);
  for (const gauge of [to.inbox, to.outbox, to.agents]) gauge.reset();
  for (const { state, count } of waiting.deliveries) to.inbox.set({ state }, count);
  for (const { kind, state, count } of waiting.effects) to.outbox.set({ kind, state }, count);
  for (const { role, state, count } of waiting.agents) to.agents.set({ role, state }, count);
  to.inboxAge.set(age(waiting.oldestDelivery));
  to.outboxAge.set(age(waiting.oldestEffect));
  to.databaseBytes.set({ part: "database" }, waiting.databaseBytes);
  for (const [part, bytes] of Object.entries(moment.database.sizes())) to.databaseBytes.set({ part }, bytes);
  const { bavail, bsize, files, ffree } = statfsSync(moment.dataDir);
  to.diskFree.set(bavail * bsize);
  // Some file systems make files as long as there are bytes, and say 0.
  if (files > 0) to.diskFreeFiles.set(ffree);
  to.mirrorsBytes.set(await mirrorsBytes(moment));
  to.ready.set(moment.ready ? 1 : 0);
  gitHub(to, moment);
}

function gitHub(to: Instruments, { github, now }: Moment): void {
  const { points, contentOfMinute, contentOfHour } = github.limitsLeft();
  to.gitHubPoints.set(points);
  to.gitHubContent.set({ window: "minute" }, contentOfMinute);
  to.gitHubContent.set({ window: "hour" }, contentOfHour);
  for (const what of ["everything", "content"] as const) {
    const until = github.limitWaits().filter((wait) => wait.what === what || wait.what === "everything");
    to.gitHubHeld.set({ what }, Math.max(0, ...until.map((wait) => (wait.until - now) / 1000)));
  }
}
