import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { sessionMark } from "./agent-environment.ts";

const rounds = 50;

/**
 * Kills every process that carries one of these marks (`markOf`) and all their descendants, and waits until they are gone (1 s at most).
 * Found by the mark in their environment, never by name. Returns how many were found; 0 where there is no /proc.
 */
export async function killSessionProcesses(marks: readonly string[]): Promise<number> {
  const found = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const alive = await sessionProcesses(marks);
    if (alive.length === 0) break;
    for (const pid of alive) {
      found.add(pid);
      kill(pid);
    }
    await delay(20);
  }
  return found.size;
}

/**
 * Pids of the processes that carry one of these marks, and of their descendants, never our own. A session's id alone
 * finds its processes of every Flotilla on the machine.
 */
export async function sessionProcesses(marks: readonly string[]): Promise<number[]> {
  const carries = (line: string) =>
    marks.some((mark) => line === `${sessionMark}=${mark}` || line.startsWith(`${sessionMark}=${mark}@`));
  const entries = await readdir("/proc").catch(() => []);
  const others = entries.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const processes = await Promise.all(others.map(readProcess));
  const chosen = new Set<number>();
  for (const { pid, environment } of processes) {
    if (environment.some(carries)) chosen.add(pid);
  }
  // Several passes, since a child may be listed before its parent.
  for (let size = -1; size !== chosen.size; ) {
    size = chosen.size;
    for (const { pid, parent } of processes) if (chosen.has(parent)) chosen.add(pid);
  }
  return [...chosen];
}

async function readProcess(
  name: string,
): Promise<{ pid: number; parent: number; environment: readonly string[] }> {
  const [stat, environment] = await Promise.all([read(`/proc/${name}/stat`), read(`/proc/${name}/environ`)]);
  // The command's name stands in parentheses and may hold anything; the parent is the second field after it.
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  return { pid: Number(name), parent, environment: environment.split("\0") };
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already, or not ours to end.
  }
}
