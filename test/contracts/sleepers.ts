import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { readProcesses } from "../../src/adapters/sandbox/process-table.ts";

/** A number of seconds that nobody else sleeps: by it a process is known, whatever number it has in its own namespace. */
export const longSleep = () => `${1000 + randomInt(1_000_000)}.${randomInt(1_000_000)}`;
/** Whether anybody on this machine sleeps that long. */
export const isAsleep = async (seconds: string) =>
  (await readProcesses()).some(({ pid }) => argumentsOf(pid).includes(seconds));

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
