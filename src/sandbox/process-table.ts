import { open, readdir } from "node:fs/promises";

/** An agent's processes choose how long their environments are; what stands behind this is as good as dropped. */
const MOST_BYTES = 128 * 1024;
const AT_ONCE = 64;
const BLOCK = 8 * 1024;

/** A process of this machine, as /proc tells of it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The pid of the process that began its session. */
  readonly session: number;
  /** When it began, in ticks since boot: with the pid it names one process for good. */
  readonly began: string;
  /** A letter as in /proc: T stopped by a signal, D in a system call that no signal ends. */
  readonly state: string;
  /** `NAME=value` each; empty for processes of other users. */
  readonly environment: readonly string[];
}

/** Every process but our own; empty where there is no /proc. */
export async function readProcesses(): Promise<readonly ProcessEntry[]> {
  const entries = await readdir("/proc").catch(() => []);
  const others = entries.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found: ProcessEntry[] = [];
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const some = await Promise.all(others.slice(from, from + AT_ONCE).map(readProcess));
    found.push(...some.filter((entry) => entry !== null));
  }
  return found;
}

async function readProcess(name: string): Promise<ProcessEntry | null> {
  const [stat, environment] = await Promise.all([read(`/proc/${name}/stat`), read(`/proc/${name}/environ`)]);
  // The command's name stands in parentheses and may hold anything; state, parent, group and session follow it.
  const [state, parent, , session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A dead process that waits to be collected holds nothing any more.
  if (stat === "" || state === "Z") return null;
  return {
    pid: Number(name),
    parent: Number(parent),
    session: Number(session),
    began: rest[15] ?? "",
    state: state ?? "",
    environment: environment.split("\0"),
  };
}

/** The beginning of a file of /proc; empty where the process is gone, or is not ours to look at. */
async function read(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (file === null) return "";
  try {
    const blocks: Buffer[] = [];
    for (let length = 0; length < MOST_BYTES; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(BLOCK), 0, BLOCK);
      if (bytesRead === 0) break;
      blocks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(blocks).toString("utf8");
  } catch {
    return "";
  } finally {
    await file.close();
  }
}

/** `chosen` and all their descendants among `all`. */
export function withDescendants(
  all: readonly ProcessEntry[],
  chosen: readonly ProcessEntry[],
): readonly ProcessEntry[] {
  const found = new Map(chosen.map((entry) => [entry.pid, entry]));
  // Several passes, since a child may be listed before its parent.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const entry of all) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  return [...found.values()];
}

/** Signals one process; one that is gone already, or is not ours to end, is left. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing more can be done about it.
  }
}
