import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { OutsideError } from "../../src/domain/kernel/errors.ts";
import { plainGit } from "../adapters/git/plain-git.ts";
import type { RealHarness } from "../adapters/git/real-harness.ts";
import { AUTHOR, FRESH } from "../contracts/worktrees-harness.ts";
import { CANARY, type Canary, layCanary } from "./canary.ts";
import { type Exchanged, type Racer, startRacer } from "./racer.ts";

/** As long as a canary: git reads as many bytes as the file had when it looked. */
const DECOY = `${"x".repeat(CANARY.length)}\n`;
const TRACKED = Array.from({ length: 40 }, (_, index) => `rc/.rc${index}`);
const NAME = "dev-issue-1";
/** A round without exchanges while the operation runs shows nothing. */
export const LEAST = 100;
/** An operation whose files nobody exchanges must not be repeated for ever. */
const MOST_TIMES = 1000;

/** Operations of ours on the files of a worktree, by name; each is repeated while hostile processes exchange files. */
export const RACED = [
  "status",
  "pending",
  "commit",
  "checkpoint",
  "tree",
  "restore",
  "restore what is not in the head",
  "digest",
  "prepare",
  "rebuild",
  "bring in",
  "checkout",
  "diff",
  "archive",
] as const;

export type Operation = (typeof RACED)[number];

export interface RaceOutcome {
  /** What was read, written, deleted or given another mode outside of the worktree, with the round. */
  readonly touched: readonly string[];
  /** Where in our data the canary was found. */
  readonly found: readonly string[];
  /** Errors that are no answers of ours. */
  readonly failed: readonly string[];
  /** How many files and directories were exchanged while the operation ran, of each round. */
  readonly exchanges: readonly number[];
  /** So often the operation did not refuse. */
  readonly answered: number;
}

/** Repeats an operation while files and directories of the worktree are exchanged for links to a canary outside. */
export async function race(
  harness: RealHarness,
  operation: Operation,
  rounds: number,
  {
    environment = {},
    least = 0,
  }: {
    /** Of the processes that exchange them. */
    readonly environment?: Readonly<Record<string, string>>;
    /** An operation is repeated within its round until so many were exchanged. */
    readonly least?: number;
  } = {},
): Promise<RaceOutcome> {
  const { repository, worktrees } = harness;
  const ref = { repository, name: NAME, branch: `flotilla/${NAME}` };
  const canary = await layCanary(join(harness.dataDir, "..", "outside"));
  const { path } = await worktrees.prepare(ref, FRESH);
  mkdirSync(join(path, "rc"), { recursive: true });
  for (const file of TRACKED) writeFileSync(join(path, file), "mine\n");
  await worktrees.commit(ref, { message: "before", author: AUTHOR });
  const pairs = Object.groupBy(plant(path, canary), ({ as }) => as);
  const start = (of: readonly Exchanged[] = []) => startRacer(of, undefined, environment);
  const [files, directories] = [await start(pairs.file), await start(pairs.directory)];
  const [touched, failed, exchanges]: [string[], string[], number[]] = [[], [], []];
  let answered = 0;
  try {
    for (let round = 0; round < rounds && touched.length === 0; round += 1) {
      for (const file of TRACKED) rmSync(join(path, file), { force: true });
      hideSwap(path, canary);
      await files.renew();
      await directories.renew();
      // Few operations come to their end while directories are exchanged: in every other round only files are.
      if (round % 2 === 1) await directories.pause();
      else await underWay(directories);
      const before = (await underWay(files)) + directories.exchanges();
      const exchanged = () => files.exchanges() + directories.exchanges() - before;
      // On a busy machine a short operation may end before the racer has its turn.
      for (let time = 0; time === 0 || (exchanged() < least && time < MOST_TIMES); time += 1)
        try {
          await actOf(harness, operation, round)();
          answered += 1;
        } catch (error) {
          if (!(error instanceof OutsideError)) failed.push(`${round}: ${String(error)}`);
        }
      exchanges.push(exchanged());
      directories.resume();
      touched.push(...(await canary.touched()).map((what) => `${round}: ${what}`));
    }
    return { touched, failed, found: await canariesIn(harness), exchanges, answered };
  } finally {
    await Promise.all([files.stop(), directories.stop()]);
  }
}

/** Files and directories that are exchanged, by their links. Those in `.swap` git does not see. */
function plant(path: string, { directory }: Canary): readonly Exchanged[] {
  const at = (...parts: readonly string[]) => join(path, ...parts);
  hideSwap(path, { directory });
  for (const name of ["note.txt", "other.txt", "rc/a.txt", "package-lock.json"])
    writeFileSync(at(name), DECOY);
  mkdirSync(at("d", "kept", "deep"), { recursive: true });
  writeFileSync(at("d", "kept", "a.txt"), DECOY);
  const pairs: readonly Exchanged[] = [
    { as: "file", first: at("note.txt"), link: at(".swap/l1"), target: ".swap/d/file.txt" },
    { as: "file", first: at("other.txt"), link: at(".swap/l2"), target: join(directory, "secret.txt") },
    { as: "file", first: at("package-lock.json"), link: at(".swap/l3"), target: ".swap/d/file.txt" },
    { as: "directory", first: at("rc"), link: at(".swap/rc"), target: join(directory, "kept") },
    { as: "directory", first: at("d"), link: at(".swap/dir"), target: directory },
  ];
  for (const { link, target } of pairs) symlinkSync(target, link);
  return pairs;
}

/** Where the worktree was made again, as it was planted. */
function hideSwap(path: string, { directory }: Pick<Canary, "directory">): void {
  const swap = join(path, ".swap");
  mkdirSync(swap, { recursive: true });
  writeFileSync(join(swap, ".gitignore"), "*\n");
  if (lstatSync(join(swap, "d"), { throwIfNoEntry: false }) === undefined)
    symlinkSync(directory, join(swap, "d"));
}

/** Returns the number of its exchanges, once it has made so many more. */
export async function underWay(racer: Racer, more = 1): Promise<number> {
  const before = racer.exchanges();
  while (racer.exchanges() < before + more) await setImmediate();
  return racer.exchanges();
}

function actOf(harness: RealHarness, operation: Operation, round: number): () => Promise<unknown> {
  const { repository, worktrees } = harness;
  const ref = { repository, name: NAME, branch: `flotilla/${NAME}` };
  const main = () => harness.serverCommit("main", { "later.txt": `${round}\n` });
  const acts: Readonly<Record<Operation, () => Promise<unknown>>> = {
    status: () => worktrees.status(ref),
    pending: () => worktrees.pending(ref, 100_000),
    commit: () => worktrees.commit(ref, { message: "work", author: AUTHOR }),
    checkpoint: () => worktrees.checkpoint(ref, { push: false }),
    tree: () => worktrees.tree(ref),
    restore: () => worktrees.restore(ref, ["rc"]),
    "restore what is not in the head": () => worktrees.restore(ref, ["d/kept", "rc/a.txt"]),
    digest: async () => {
      // One takes less than a millisecond.
      for (let time = 0; time < 100; time += 1)
        await worktrees.digest(ref, ["note.txt", "package-lock.json"]);
    },
    prepare: () => worktrees.prepare(ref, FRESH),
    rebuild: async () => {
      // Moved and not deleted: while files come and go in it, it may never be empty.
      const [directory, lost] = [harness.directory(NAME), join(harness.dataDir, "..", randomUUID())];
      if (existsSync(directory)) renameSync(directory, lost);
      await worktrees.prepare(ref, FRESH);
    },
    "bring in": () => main().then(() => worktrees.bringIn(ref, "main")),
    checkout: async () => worktrees.checkout(ref, (await worktrees.status(ref)).head ?? ""),
    diff: async () => worktrees.diff(ref, (await worktrees.status(ref)).head ?? "", 1_000),
    archive: async () => {
      await worktrees.remove(ref, { base: "main" });
      await worktrees.prepare(ref, FRESH);
    },
  };
  return acts[operation];
}

/** In every object of the mirror, and in every file that an operation left behind. */
export async function canariesIn({ dataDir, mirror }: RealHarness): Promise<readonly string[]> {
  const objects = await plainGit(mirror, ["cat-file", "--batch", "--batch-all-objects", "--unordered"]);
  const scratch = join(dataDir, "git", "scratch");
  const left = readdirSync(scratch, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(CANARY));
  return [...(objects.includes(CANARY.slice(0, 10)) ? ["an object of the mirror"] : []), ...left];
}
