import { readdir, readFile } from "node:fs/promises";

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
  return (await Promise.all(others.map(readProcess))).filter((found) => found !== null);
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

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
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
