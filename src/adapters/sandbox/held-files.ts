import type { BigIntStats } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { agentOfMark, PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import type { HeldOpen } from "../../domain/ports/runner.ts";
import { type ProcessEntry, readProcesses, withDescendants } from "./process-table.ts";

const BLOCK_BYTES = 512n;
const AT_ONCE = 64;
/** Maximum number of open files per agent; with more, the result is incomplete. */
const MOST_HANDLES = 100_000;
/** Maximum size that is read of one process's table of mappings. */
const MOST_TABLE_BYTES = 1024 * 1024;
const TABLE_BLOCK = 64 * 1024;

/**
 * Sums up the blocks of deleted files on the given devices that an agent's processes keep open or mapped; each file
 * counts once. Does not find files that are in transit between processes in a socket.
 */
export async function heldOpenFiles(
  dataDir: string,
  devices: ReadonlySet<bigint>,
): Promise<ReadonlyMap<number, HeldOpen>> {
  const all = await readProcesses();
  const marked = Map.groupBy(all, (entry) => agentOf(entry, dataDir));
  const found = new Map<number, HeldOpen>();
  for (const [agentId, some] of marked) {
    if (agentId === null) continue;
    const pids = withDescendants(all, some).map(({ pid }) => pid);
    found.set(agentId, await heldBy(pids, { dataDir, devices }));
  }
  return found;
}

/** Returns the agent in whose directory the process was started. */
function agentOf({ environment }: ProcessEntry, dataDir: string): number | null {
  for (const line of environment) {
    if (!line.startsWith(`${PROCESS_MARK}=`)) continue;
    const id = agentOfMark(line.slice(PROCESS_MARK.length + 1), dataDir);
    if (id !== null) return id;
  }
  return null;
}

interface Where {
  readonly dataDir: string;
  readonly devices: ReadonlySet<bigint>;
}

async function heldBy(pids: readonly number[], where: Where): Promise<HeldOpen> {
  const blocks = new Map<bigint, bigint>();
  let hidden = false;
  let handles = 0;
  for (const pid of pids) {
    const names = await readdir(`/proc/${pid}/fd`).catch((error: unknown) => {
      if (isDenied(error)) hidden = true;
      return [];
    });
    const paths = names.map((name) => `/proc/${pid}/fd/${name}`);
    handles += paths.length;
    if (handles > MOST_HANDLES) return { bytes: sumOf(blocks), hidden: true };
    for (let from = 0; from < paths.length; from += AT_ONCE)
      for (const file of await Promise.all(paths.slice(from, from + AT_ONCE).map(statOf)))
        if (isDeleted(file, where)) blocks.set(file.ino, file.blocks);
    for (const path of await deletedMappings(pid, where)) {
      const file = path === null ? "denied" : await statOf(path);
      // Only root may follow these.
      if (file === "denied") hidden = true;
      else if (isDeleted(file, where)) blocks.set(file.ino, file.blocks);
    }
  }
  return { bytes: sumOf(blocks), hidden };
}

function sumOf(blocks: ReadonlyMap<bigint, bigint>): number {
  return Number([...blocks.values()].reduce((all, one) => all + one, 0n) * BLOCK_BYTES);
}

/** Returns the paths of a process's deleted mapped files; null stands for those beyond the limit. */
async function deletedMappings(pid: number, { dataDir }: Where): Promise<readonly (string | null)[]> {
  const table = await tableOf(pid);
  const found = table
    .split("\n")
    .filter((line) => line.endsWith(" (deleted)") && line.includes(` ${dataDir}/`))
    .map((line) => `/proc/${pid}/map_files/${rangeOf(line)}`);
  return table.length < MOST_TABLE_BYTES ? found : [...found, null];
}

/** Returns the beginning of a process's table of mappings; empty if the process is gone or we may not read it. */
async function tableOf(pid: number): Promise<string> {
  const file = await open(`/proc/${pid}/maps`).catch(() => null);
  if (file === null) return "";
  const blocks: Buffer[] = [];
  try {
    // The kernel returns only some lines per read, whatever size is requested.
    for (let length = 0; length < MOST_TABLE_BYTES; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(TABLE_BLOCK), 0, TABLE_BLOCK);
      if (bytesRead === 0) break;
      blocks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
  } catch {
    // The process ended in the meantime.
  } finally {
    await file.close();
  }
  return Buffer.concat(blocks).toString();
}

/** Returns the range as the directory of mappings names it, without the leading zeros that the table may have. */
function rangeOf(line: string): string {
  const [range = ""] = line.split(" ", 1);
  return range
    .split("-")
    .map((address) => BigInt(`0x${address}`).toString(16))
    .join("-");
}

/** Returns null if the file is gone. */
async function statOf(path: string): Promise<BigIntStats | "denied" | null> {
  return stat(path, { bigint: true }).catch((error: unknown) => (isDenied(error) ? "denied" : null));
}

function isDeleted(file: BigIntStats | "denied" | null, { devices }: Where): file is BigIntStats {
  if (file === null || file === "denied") return false;
  return file.isFile() && file.nlink === 0n && devices.has(file.dev);
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");
}
