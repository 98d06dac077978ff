import { setTimeout as delay } from "node:timers/promises";
import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import { type ProcessEntry, readProcesses, signalProcess, withDescendants } from "./process-table.ts";

const rounds = 50;

/**
 * Kills every process that carries one of these marks, and all their descendants, and waits until they are gone (1 s at
 * most). Finds processes by the mark in their environment, never by name. Returns how many it found; 0 without /proc.
 */
export async function killMarkedProcesses(marks: readonly string[]): Promise<number> {
  const found = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const alive = await markedProcesses(marks);
    if (alive.length === 0) break;
    for (const pid of alive) {
      found.add(pid);
      signalProcess(pid, "SIGKILL");
    }
    await delay(20);
  }
  return found.size;
}

/**
 * Returns the pids of the processes that carry one of these marks, and of their descendants, but never our own. A mark
 * without its directory finds the processes of every Flotilla on the machine.
 */
export async function markedProcesses(marks: readonly string[]): Promise<number[]> {
  const all = await readProcesses();
  const marked = all.filter((entry) => marks.some((mark) => carries(entry, mark)));
  return withDescendants(all, marked).map(({ pid }) => pid);
}

/** Returns whether the process carries the mark, with the mark's directory or without it. */
export function carries({ environment }: ProcessEntry, mark: string): boolean {
  return environment.some(
    (line) => line === `${PROCESS_MARK}=${mark}` || line.startsWith(`${PROCESS_MARK}=${mark}@`),
  );
}
