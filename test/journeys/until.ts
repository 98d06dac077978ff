import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 50;

/** Looks until `look` finds something, at most `seconds` (120 when not given); then says what did not happen. */
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
