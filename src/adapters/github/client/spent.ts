import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { TIME_LIMIT_MS } from "./guarded-fetch.ts";

/** What one request cost, or until when GitHub told an account, or everybody (`*`), to keep still. Milliseconds since the epoch. */
export type SpentEntry =
  | { readonly account: string; readonly at: number; readonly points: number; readonly content: number }
  | { readonly account: string; readonly until: number };

/** What was asked of GitHub lately, kept beside the process, so that a new one does not begin with full buckets. */
export interface Spent {
  /** What still counts, oldest first, and the pauses that are not over. */
  readonly before: readonly SpentEntry[];
  add(entry: SpentEntry): void;
}

/** The longest of GitHub's windows, and the time until the answer, from which on GitHub may count. */
const KEPT_MS = 60 * 60_000 + TIME_LIMIT_MS;
/** After so many lines the file is cut to what still counts. */
const LINES = 5000;

const line = z.union([
  z.strictObject({ account: z.string(), at: z.int(), points: z.int(), content: z.int() }),
  z.strictObject({ account: z.string(), until: z.int() }),
]);

/**
 * The file that one serving process keeps (0600): a line before each request, so a process that is killed has counted
 * what it asked. It is not forced to the disk: a machine takes longer to start than what a power cut can lose of it counts.
 * A file that cannot be written is logged and hinders nothing; the limits then hold until the next start.
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
      log.warn({ path, error: messageOf(error) }, "what GitHub was asked cannot be kept");
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

/** What still counts of the file at `now`. Lines that were cut off, and a missing file, count nothing. */
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
