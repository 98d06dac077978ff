import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 50;

/**
 * Repeats `look` until it finds something, at most for `seconds` (default: 120). Then throws, saying what did not
 * happen.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 120,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(LOOK_MS);
  }
}
