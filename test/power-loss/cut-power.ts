import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { syncedSizes } from "./synced-sizes.ts";

export const SECRET = "a secret of thirty-two bytes at least";
const SENDERS = 4;

/** What was promised before the power went, and how much of it is not there any more. */
export interface AfterPowerLoss {
  readonly acknowledged: number;
  readonly lost: number;
  /** Effects that were said to be done. */
  readonly effects: number;
  readonly effectsLost: number;
}

/**
 * Runs the intake under strace, posts to it, and takes the power away once `deliveries` were answered with 2xx: of each file
 * only what a sync had brought to the disk is left. Then opens what is left as a start would.
 */
export async function cutPower(options: {
  readonly dir: string;
  readonly deliveries: number;
  readonly weakness: "none" | "database" | "journal";
}): Promise<AfterPowerLoss> {
  const { dir, deliveries, weakness } = options;
  const database = join(dir, `${weakness}.db`);
  const trace = join(dir, `${weakness}.strace`);
  const script = new URL("./child.ts", import.meta.url).pathname;
  const traced = [
    "-f",
    "-y",
    "-s",
    "0",
    "-e",
    "trace=openat,pwrite64,ftruncate,fsync,fdatasync",
    "-o",
    trace,
  ];
  const child = spawn("strace", [...traced, process.execPath, script, database, SECRET, weakness], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "close");
  const kill = (): boolean => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  onTestFinished(() => void (child.exitCode === null && child.signalCode === null && kill()));
  const said = readSayings(child);
  const url = await said.url;
  const acknowledged: string[] = [];
  let sent = 0;
  const send = async (): Promise<void> => {
    while (acknowledged.length < deliveries) {
      sent += 1;
      const guid = `g${sent}`;
      if (await isAcknowledged(url, guid)) acknowledged.push(guid);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  // Not strace, which still has to write down what it saw.
  process.kill(said.pid(), "SIGKILL");
  await ended;
  const image = imageOf(database, syncedSizes(readFileSync(trace, "utf8")));
  return whatIsLeft(image, acknowledged, said.done);
}

/** Posts a signed webhook; true when it was answered with 202. */
export async function isAcknowledged(url: string, guid: string): Promise<boolean> {
  const body = JSON.stringify({ action: "opened", padding: "x".repeat(2000) });
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const { status } = await fetch(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": guid,
      "x-hub-signature-256": `sha256=${signature}`,
    },
  });
  return status === 202;
}

/** What `child.ts` prints. */
export function readSayings({ stdout }: ChildProcess): {
  readonly pid: () => number;
  readonly url: Promise<string>;
  readonly done: readonly string[];
} {
  if (stdout === null) throw new Error("the child has no output");
  const done: string[] = [];
  let pid = 0;
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const lines = createInterface({ input: stdout });
  lines.on("line", (line) => {
    const [word, value = ""] = line.split(" ");
    if (word === "pid") pid = Number(value);
    if (word === "port") resolve(`http://127.0.0.1:${value}/api/github/webhooks`);
    if (word === "done") done.push(value);
  });
  lines.on("close", () => reject(new Error("the child ended before it listened")));
  return { pid: () => pid, url, done };
}

/** The files as the disk has them after the power loss, beside the others; returns the database's path. */
function imageOf(database: string, synced: ReadonlyMap<string, number>): string {
  const image = `${database}.image`;
  for (const suffix of ["", "-wal", "-inbox"]) {
    if (!existsSync(database + suffix)) continue;
    copyFileSync(database + suffix, image + suffix);
    truncateSync(image + suffix, synced.get(database + suffix) ?? 0);
  }
  return image;
}

async function whatIsLeft(
  path: string,
  acknowledged: readonly string[],
  done: readonly string[],
): Promise<AfterPowerLoss> {
  const store = await openStore({ path });
  const guids = new Set((await store.deliveries.list({}, 1_000_000)).map(({ guid }) => guid));
  const keys = new Set((await store.effects.find({ state: "done" })).map(({ key }) => key));
  await store.close();
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((guid) => !guids.has(guid)).length,
    effects: done.length,
    effectsLost: done.filter((key) => !keys.has(key)).length,
  };
}
