import type { NodeRow } from "./node.ts";

/** How long a machine of a new version watches what comes of its work. */
export const WATCH_MS = 30 * 60_000;

/** Fewer failures than this happen with every version. */
const LEAST_FAILURES = 3;
/** The failures must also be at least this share of what the machine has finished. */
const LEAST_SHARE = 0.2;

/** How much a machine has finished, and how much of that failed for good. */
export interface Ended {
  readonly all: number;
  readonly failed: number;
}

/** What has come of the work of a machine since its start. */
export interface OutcomesHere {
  readonly deliveries: Ended;
  readonly effects: Ended;
  /** Rules of the lifecycles that rows of the database have broken since then. */
  readonly brokenRules: readonly string[];
}

/** Returns why a machine of a new version should stop taking work; null while it may go on. */
export function reasonToStop({ deliveries, effects, brokenRules }: OutcomesHere): string | null {
  const [rule] = brokenRules;
  if (rule !== undefined) return `rows in the database break the rule ${rule} since it began`;
  if (isTooMuch(effects))
    return `${effects.failed} of the ${effects.all} effects that it carried out failed for good`;
  if (isTooMuch(deliveries))
    return `${deliveries.failed} of the ${deliveries.all} deliveries that it handled are dead`;
  return null;
}

function isTooMuch({ all, failed }: Ended): boolean {
  return failed >= LEAST_FAILURES && failed >= all * LEAST_SHARE;
}

/** Returns whether a version is newer than those of all other machines that run, of which there is one at least. */
export function isFirstOf(version: string, others: readonly Pick<NodeRow, "version">[]): boolean {
  return others.length > 0 && others.every((one) => isNewer(version, one.version));
}

/** Returns whether one version comes after the other. Those that are not of the form 1.2.3 or 1.2.3-rc.1 do not. */
export function isNewer(one: string, other: string): boolean {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  if (ours === null || theirs === null) return false;
  for (const [index, part] of ours.numbers.entries()) {
    const difference = part - (theirs.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  // What comes before a release has a name behind its numbers.
  if (ours.before === "" || theirs.before === "") return ours.before === "" && theirs.before !== "";
  return ours.before.localeCompare(theirs.before, "en", { numeric: true }) > 0;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly before: string } | null {
  const [, numbers, before = ""] = /^(\d+\.\d+\.\d+)(?:-([^+]+))?/.exec(version) ?? [];
  return numbers === undefined ? null : { numbers: numbers.split(".").map(Number), before };
}
