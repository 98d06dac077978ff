import { closeSync, open, openSync, read, readSync } from "node:fs";
import { readdir } from "node:fs/promises";

/** An agent's processes choose how long their environments are; what stands behind this is as good as dropped. */
const MOST_BLOCKS = 16;
const BLOCK = 8 * 1024;
const AT_ONCE = 64;
/** One read holds all of it: names and numbers of bounded length. */
const STAT = Buffer.alloc(4 * 1024);

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
  const stat = readStat(name);
  // The command's name stands in parentheses and may hold anything; state, parent, group and session follow it.
  const [state, parent, , session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A dead process that waits to be collected holds nothing any more.
  if (stat === "" || state === "Z") return null;
  const environment = await readBeginning(`/proc/${name}/environ`);
  return {
    pid: Number(name),
    parent: Number(parent),
    session: Number(session),
    began: rest[15] ?? "",
    state: state ?? "",
    environment: environment.split("\0"),
  };
}

/** Empty where the process is gone. Read at once: the kernel waits for nobody here, and has it ready. */
function readStat(name: string): string {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${name}/stat`, "r");
    return STAT.toString("utf8", 0, readSync(file, STAT));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Buffers between two reads: a scan of all processes is frequent, and leaves no garbage of their size. */
const blocks: Buffer[] = [];

/**
 * The beginning of a file; empty where the process is gone, or is not ours to look at. A process may keep the kernel from
 * its environment for a while, which must not hold up the event loop. Callbacks cost half of what promises do here.
 */
function readBeginning(path: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  open(path, (failed, file) => {
    if (failed) return resolve("");
    const block = blocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    const found: Buffer[] = [];
    const next = (): void => {
      read(file, block, 0, BLOCK, null, (error, bytes) => {
        found.push(Buffer.from(block.subarray(0, error ? 0 : bytes)));
        // A read that does not fill the block was the last.
        if (!error && bytes === BLOCK && found.length < MOST_BLOCKS) return next();
        blocks.push(block);
        closeSync(file);
        resolve(Buffer.concat(found).toString("utf8"));
      });
    };
    next();
  });
  return promise;
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
