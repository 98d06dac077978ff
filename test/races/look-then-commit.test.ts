import { lstatSync, lutimesSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { OutsideError } from "../../src/domain/kernel/errors.ts";
import { plainGit } from "../adapters/git/plain-git.ts";
import { type RealHarness, realHarness } from "../adapters/git/real-harness.ts";
import { AUTHOR, FRESH } from "../contracts/worktrees-harness.ts";
import { CANARY, layCanary } from "./canary.ts";
import { canariesIn, underWay } from "./git-races.ts";
import { type Exchanged, type Racer, startRacer } from "./racer.ts";

/** More show more: RACES=200 takes some minutes. */
const ROUNDS = Number(process.env["RACES"] ?? 12);
const LIMIT = 100_000;
/** As long as a canary: git reads as many bytes as the file had when it looked. */
const DECOY = `${"x".repeat(CANARY.length)}\n`;
/**
 * A round without exchanges while the host works shows nothing. On a busy machine a short phase may end before the
 * racer has its turn, so that one round of each phase must have as many.
 */
const LEAST = 50;

type Phase = "look" | "between" | "commit";

/** When exchanges continue in a round. */
const ROUND: readonly (readonly Phase[])[] = [
  ["between"],
  ["look"],
  ["commit"],
  ["look", "between", "commit"],
  [],
];

it.each<readonly [string, (path: string, outside: string) => readonly Exchanged[]]>([
  ["files are exchanged for links that lead out", linksOut],
  ["directories are exchanged for links that lead out", directoriesOut],
  ["files are exchanged for others of the same size", otherContent],
])(
  "a commit is exactly what was looked at while %s",
  { timeout: 60_000 + ROUNDS * 10_000 },
  async (how, plant) => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const ref = { repository: harness.repository, name: "dev", branch: "flotilla/dev" };
    const canary = await layCanary(join(harness.dataDir, "..", "outside"));
    const { path } = await harness.worktrees.prepare(ref, FRESH);
    hideSwap(path, canary.directory);
    const pairs = plant(path, canary.directory);
    const racer = await startRacer(pairs);
    const outcomes = new Map<string, number>();
    const most = new Map<Phase, number>();
    try {
      await racer.pause();
      for (let round = 0; round < ROUNDS; round += 1) {
        const phases = ROUND[round % ROUND.length] ?? [];
        const during = async <T>(phase: Phase, work: () => Promise<T>): Promise<T> => {
          if (!phases.includes(phase)) return work();
          const before = await begin(racer);
          try {
            return await work();
          } finally {
            await racer.pause();
            most.set(phase, Math.max(most.get(phase) ?? 0, racer.exchanges() - before));
          }
        };
        // An exchange while git reads leaves times in the index that belong to the other file; they fit none from now on.
        for (const raced of pairs.flatMap(({ first, link }) => [first, link]))
          lutimesSync(raced, round, round);
        // Nobody but this look has read it.
        const held = `held in round ${round} ${Math.random()}\n`;
        writeFileSync(join(path, "held.txt"), held);
        const blob = await blobOf(harness, held);
        const looked = await during("look", () => harness.worktrees.pending(ref, LIMIT)).catch(asCode);
        expect(await isInMirror(harness, blob), "looked at, not committed").toBe(false);
        if (typeof looked === "string") {
          count(outcomes, `look: ${looked}`);
          continue;
        }
        const before = shownOf(pairs);
        // An even number of exchanges changes nothing.
        while (phases.includes("between") && shownOf(pairs) === before)
          await during("between", () => underWay(racer, LEAST));
        const isSame = shownOf(pairs) === before;
        const made = await during("commit", () =>
          harness.worktrees.commit(ref, { message: "work", author: AUTHOR, tree: looked.tree }),
        ).catch(asCode);
        const outcome = typeof made === "string" ? made : "committed";
        count(outcomes, outcome);
        // What was exchanged during the look may have been taken in as it is no longer.
        const isSure = !phases.includes("look") && !phases.includes("commit");
        const expected = isSame ? "committed" : "tree_moved";
        expect(outcome).toBe(isSure ? expected : outcome);
        expect(await isInMirror(harness, blob)).toBe(outcome === "committed");
        if (made === null || typeof made === "string") continue;
        expect(await plainGit(harness.mirror, ["rev-parse", `${made.commit}^{tree}`])).toBe(looked.tree);
        await plainGit(harness.mirror, ["fsck", "--strict", made.commit]);
        expect(await canary.touched()).toEqual([]);
      }
    } finally {
      await racer.stop();
    }
    expect(await canary.touched()).toEqual([]);
    expect(await canariesIn(harness)).toEqual([]);
    for (const phase of ["look", "between", "commit"] as const)
      expect(most.get(phase)).toBeGreaterThanOrEqual(LEAST);
    if (process.env["RACES"] !== undefined)
      process.stdout.write(
        `${how}: ${ROUNDS} rounds, at most ${JSON.stringify([...most])} exchanges, ${JSON.stringify([...outcomes])}\n`,
      );
    expect(outcomes.get("committed")).toBeGreaterThan(0);
    expect(outcomes.get("tree_moved")).toBeGreaterThan(0);
  },
);

/** Files of one directory, so that the state of each is by chance. */
function linksOut(path: string, outside: string): readonly Exchanged[] {
  return ["note.txt", "other.txt"].map((name, index) => {
    const [first, link] = [join(path, name), join(path, ".swap", `l${index}`)];
    const target = index === 0 ? ".swap/d/file.txt" : join(outside, "secret.txt");
    writeFileSync(first, DECOY);
    symlinkSync(target, link);
    return { as: "file", first, link, target };
  });
}

function directoriesOut(path: string, outside: string): readonly Exchanged[] {
  const [first, link, target] = [join(path, "d"), join(path, ".swap", "dir"), outside];
  mkdirSync(join(first, "kept", "deep"), { recursive: true });
  for (const name of ["kept/a.txt", "kept/deep/b.txt", "secret.txt"]) writeFileSync(join(first, name), DECOY);
  symlinkSync(target, link);
  return [{ as: "directory", first, link, target }];
}

function otherContent(path: string): readonly Exchanged[] {
  const [first, link] = [join(path, "note.txt"), join(path, ".swap", "other")];
  writeFileSync(first, DECOY);
  writeFileSync(link, DECOY.replaceAll("x", "y"));
  return [{ as: "file", first, link, target: "nowhere" }];
}

/** git does not see what lies in `.swap`. */
function hideSwap(path: string, outside: string): void {
  mkdirSync(join(path, ".swap"));
  writeFileSync(join(path, ".swap", ".gitignore"), "*\n");
  symlinkSync(outside, join(path, ".swap", "d"));
}

/** What stands at each path that is exchanged. */
function shownOf(pairs: readonly Exchanged[]): string {
  return pairs
    .map(({ first }) => {
      const found = lstatSync(first);
      if (found.isSymbolicLink()) return "link";
      return found.isDirectory() ? "directory" : readFileSync(first, "utf8");
    })
    .join();
}

async function begin(racer: Racer): Promise<number> {
  racer.resume();
  return underWay(racer);
}

function asCode(error: unknown): string {
  if (error instanceof OutsideError) return error.code;
  throw error;
}

function count(outcomes: Map<string, number>, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

async function blobOf({ mirror }: RealHarness, text: string): Promise<string> {
  const file = join(mirror, "..", "..", "..", "blob");
  writeFileSync(file, text);
  return plainGit(mirror, ["hash-object", "--no-filters", file]);
}

/** As every agent of the repository reads it. */
async function isInMirror({ mirror }: RealHarness, blob: string): Promise<boolean> {
  return (await plainGit(mirror, ["cat-file", "-t", blob], false)) === "blob";
}
