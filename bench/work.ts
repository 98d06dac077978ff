import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LIMIT_MS = 60_000;

/** Runs `work` with its own empty directory, which is deleted afterwards, whatever the outcome, even on `exit`. */
export async function inTemporary<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", remove);
  try {
    return await work(directory);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Returns the milliseconds that the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Checks every few milliseconds until it holds. Throws, naming `what`, if it does not within `limitMs`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = LIMIT_MS,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await pause(2);
  }
}
