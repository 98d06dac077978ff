import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { DAMAGES, damage, TOP_DAMAGES } from "../damages.ts";

const DEEPEST = 5;
/** Entries per directory; an agent may find thousands that it created before. */
const MOST_ENTRIES = 40;
const OF_ONE_AGENT = 3;

/** Returns the mount itself and everything below it. */
function entriesOf(path: string, deep = 0): readonly string[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true || deep === DEEPEST) return [path];
  const names = readdirSync(path).toSorted().slice(0, MOST_ENTRIES);
  return [path, ...names.flatMap((name) => entriesOf(join(path, name), deep + 1))];
}

/** Returns whether the path still leads to an entry without passing a link. */
function isThere(path: string): boolean {
  try {
    return realpathSync(dirname(path)) === dirname(path) && lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** Returns a name that is the same for the same entry of different agents. */
function kindOf(path: string): string {
  return path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "<id>").replaceAll(/\d+/g, "<n>");
}

/** Chooses the kinds that were damaged least so far, at random among these. */
export class DamageDealer {
  readonly #times = new Map<string, number>();
  readonly #random: () => number;
  readonly #outside: string;
  /** The damages dealt, as `path: damage`. */
  readonly dealt: string[] = [];
  /** Mounts in which something was damaged. */
  readonly struck = new Set<string>();

  constructor(random: () => number, outside: string) {
    this.#random = random;
    this.#outside = outside;
  }

  /** Damages some of the entries in these mounts. */
  deal(mounts: readonly string[]): void {
    const ranked = mounts
      .flatMap((mount) => entriesOf(mount).map((path) => ({ path, mount })))
      .map((entry) => ({ ...entry, rank: (this.#times.get(kindOf(entry.path)) ?? 0) + this.#random() }))
      .toSorted((one, other) => one.rank - other.rank);
    for (const { path, mount } of ranked.slice(0, OF_ONE_AGENT)) {
      const names = path === mount ? TOP_DAMAGES : DAMAGES;
      const how = names[Math.floor(this.#random() * names.length)] ?? "";
      // An earlier damage may have removed it.
      if (!isThere(path)) continue;
      damage(path, how, { outside: this.#outside, random: this.#random });
      this.#times.set(kindOf(path), (this.#times.get(kindOf(path)) ?? 0) + 1);
      this.struck.add(mount);
      this.dealt.push(`${path}: ${how}`);
    }
  }
}
