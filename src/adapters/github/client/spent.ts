import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { TIME_LIMIT_MS } from "./guarded-fetch.ts";

/**
 * What one request cost, or how long GitHub asked an account, or everybody (`*`), to pause. Milliseconds
 * since the epoch.
 */
export type SpentEntry =
  | { readonly account: string; readonly at: number; readonly points: number; readonly content: number }
  | { readonly account: string; readonly until: number };

/** The recent requests to GitHub, stored on disk, so that a new process does not start with full buckets. */
export interface Spent {
  /** The entries that still count, oldest first, and the pauses that are not over. */
  readonly before: readonly SpentEntry[];
  add(entry: SpentEntry): void;
}

/**
 * The longest of GitHub's windows, plus the time limit of an answer, because GitHub may count a request as late as
 * that.
 */
const KEPT_MS = 60 * 60_000 + TIME_LIMIT_MS;
/** After this many lines the file is shortened to the entries that still count. */
const LINES = 5000;

const line = z.union([
  z.strictObject({ account: z.string(), at: z.int(), points: z.int(), content: z.int() }),
  z.strictObject({ account: z.string(), until: z.int() }),
]);

/**
 * Opens the file of the serving process (0600). Writes a line before each request, so a killed process has
 * counted it. Does not sync, because a machine takes longer to start than the lost entries count. If the file
 * cannot be written, logs that and continues; the limits then hold until the next start.
 */
export function keepSpent(path: string, clock: Pick<Clock, "now">, log: Log): Spent {
  const before = readSpent(path, clock.now());
  let lines = 0;
  const cut = (entries: readonly SpentEntry[]): void => {
    writeFileSync(`${path}.new`, entries.map(lineOf).join(""), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    lines = 0;
  };
  const guarded = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      log.warn({ path, error: messageOf(error) }, "request count not written");
    }
  };
  guarded(() => cut(before));
  return {
    before,
    add(entry) {
      guarded(() => {
        lines += 1;
        if (lines > LINES) cut([...readSpent(path, clock.now()), entry]);
        else appendFileSync(path, lineOf(entry), { mode: 0o600 });
      });
    },
  };
}

/** Reads the entries of the file that still count at `now`. Ignores truncated lines; a missing file counts as empty. */
export function readSpent(path: string, now: number): readonly SpentEntry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap(entryOf)
    .filter((entry) => ("until" in entry ? entry.until > now : entry.at > now - KEPT_MS && entry.at <= now));
}

function entryOf(text: string): SpentEntry[] {
  try {
    return [line.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}

function lineOf(entry: SpentEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
