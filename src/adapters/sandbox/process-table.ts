import { closeSync, open, openSync, read, readSync } from "node:fs";
import { readdir } from "node:fs/promises";

/**
 * Agents decide how long the environments of their processes are. Content beyond this size is ignored; the variables that
 * a repository may set fit, because a shell passes them on in any order.
 */
const MOST_BLOCKS = 32;
const BLOCK = 8 * 1024;
const AT_ONCE = 64;
/** Large enough for one read: the file has only names of limited length, and numbers. */
const STAT = Buffer.alloc(4 * 1024);

/** The flag of the kernel's own threads. They run no program, so they have no environment. */
const KERNEL_THREAD = 0x200000;

/** A process of this machine, read from /proc. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The pid of its session leader. */
  readonly session: number;
  /** Start time in ticks since boot. Together with the pid it identifies a process permanently. */
  readonly began: string;
  /** State letter of /proc: T is stopped by a signal, D is in a system call that signals cannot interrupt. */
  readonly state: string;
  /** Variables as `NAME=value`; empty for processes of other users. */
  readonly environment: readonly string[];
}

/** Returns every process except our own and the kernel's; empty without /proc. */
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
  // The command's name is in parentheses and may contain anything; state, parent, group, session, terminal, the group in
  // it and flags follow it.
  const [state, parent, , session, , , flags, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie no longer holds anything.
  if (stat === "" || state === "Z" || (Number(flags) & KERNEL_THREAD) !== 0) return null;
  const environment = await readBeginning(`/proc/${name}/environ`);
  return {
    pid: Number(name),
    parent: Number(parent),
    session: Number(session),
    began: rest[12] ?? "",
    state: state ?? "",
    environment: environment.split("\0"),
  };
}

/** Returns an empty text if the process is gone. Reads synchronously, because the kernel has this file ready. */
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

/** Buffers are reused, because all processes are scanned frequently and large buffers would become garbage. */
const blocks: Buffer[] = [];

/**
 * Reads the beginning of a file; empty if the process is gone, or we may not read it. A process can make the kernel
 * delay access to its environment, which must not block the event loop. Callbacks cost half as much as promises here.
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

/** Returns `chosen` and all their descendants among `all`. */
export function withDescendants(
  all: readonly ProcessEntry[],
  chosen: readonly ProcessEntry[],
): readonly ProcessEntry[] {
  const found = new Map(chosen.map((entry) => [entry.pid, entry]));
  // Several passes, because a child may be listed before its parent.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const entry of all) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  return [...found.values()];
}

/** Signals one process. Ignores a process that is gone, or that we may not signal. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing more can be done about it.
  }
}
