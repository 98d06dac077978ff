import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PRELOADED = join(import.meta.dirname, "../fixtures/clock-ahead.ts");

/** The clock of a process of its own, which is put forward while it runs. */
export interface AheadClock {
  /** The environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, as the process sees them. */
  now(): number;
  /** Puts the clock forward, from the next look on. */
  putForward(ms: number): void;
  remove(): void;
}

export function aheadClock(): AheadClock {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-clock-"));
  const path = join(directory, "ahead");
  writeFileSync(path, digits(0));
  const file = openSync(path, "r+");
  let ahead = 0;
  return {
    env: { NODE_OPTIONS: `--import ${PRELOADED}`, CLOCK_AHEAD_FILE: path },
    now: () => Date.now() + ahead,
    putForward(ms) {
      ahead += ms;
      // Of one length, and in one write: the process may look at any time.
      writeSync(file, digits(ahead), 0);
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}

const digits = (ms: number) => String(ms).padStart(16, "0");
