import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { GitHubLeftovers, GitHubLimits } from "../../core/ports/github-limits.ts";
import type { Tables } from "../../core/ports/store.ts";
import type { Instruments } from "./instruments.ts";

export interface Moment {
  readonly store: Pick<Tables, "meters" | "deliveries">;
  readonly github: GitHubLimits & GitHubLeftovers;
  /** Path of the database; beside it lie its log (`-wal`) and the inbox journal (`-inbox`). */
  readonly database: string;
  readonly ready: boolean;
  readonly now: number;
}

/** Sets every gauge to what is so at this moment. */
export async function readGauges(to: Instruments, moment: Moment): Promise<void> {
  // Looking at the inbox moves what lies in its journal into the table.
  await moment.store.deliveries.list({}, 1);
  const waiting = await moment.store.meters.waiting();
  const age = (since: number | null): number => (since === null ? 0 : Math.max(0, moment.now - since) / 1000);
  for (const gauge of [to.inbox, to.outbox, to.agents]) gauge.reset();
  for (const { state, count } of waiting.deliveries) to.inbox.set({ state }, count);
  for (const { kind, state, count } of waiting.effects) to.outbox.set({ kind, state }, count);
  for (const { role, state, count } of waiting.agents) to.agents.set({ role, state }, count);
  to.inboxAge.set(age(waiting.oldestDelivery));
  to.outboxAge.set(age(waiting.oldestEffect));
  to.databaseBytes.set({ part: "database" }, waiting.databaseBytes);
  to.databaseBytes.set({ part: "log" }, sizeOf(`${moment.database}-wal`));
  to.databaseBytes.set({ part: "inbox" }, sizeOf(`${moment.database}-inbox`));
  const { bavail, bsize, files, ffree } = statfsSync(dirname(moment.database));
  to.diskFree.set(bavail * bsize);
  // Some file systems make files as long as there are bytes, and say 0.
  if (files > 0) to.diskFreeFiles.set(ffree);
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

/** 0 where there is none. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
