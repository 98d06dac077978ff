import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OutsideError } from "../../src/core/errors.ts";
import { AUTHOR, FRESH } from "../contracts/worktrees-harness.ts";
import { plainGit } from "../git/plain-git.ts";
import type { RealHarness } from "../git/real-harness.ts";
import { CANARY, type Canary, layCanary } from "./canary.ts";
import { type Exchanged, startRacer } from "./racer.ts";

/** As long as a canary: git reads as many bytes as the file had when it looked. */
const DECOY = `${"x".repeat(CANARY.length)}\n`;
const TRACKED = Array.from({ length: 40 }, (_, index) => `rc/.rc${index}`);
const NAME = "dev-issue-1";

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
  readonly exchanges: number;
}

/** Repeats an operation while files and directories of the worktree are exchanged for links to a canary outside. */
export async function race(
  harness: RealHarness,
  operation: Operation,
  rounds: number,
  /** Of the process that exchanges them. */
  environment: Readonly<Record<string, string>> = {},
): Promise<RaceOutcome> {
  const { repository, worktrees } = harness;
  const ref = { repository, name: NAME, branch: `flotilla/${NAME}` };
  const canary = await layCanary(join(harness.dataDir, "..", "outside"));
  const { path } = await worktrees.prepare(ref, FRESH);
  mkdirSync(join(path, "rc"), { recursive: true });
  for (const file of TRACKED) writeFileSync(join(path, file), "mine\n");
  await worktrees.commit(ref, { message: "before", author: AUTHOR });
  const pairs = plant(path, canary);
  const racer = await startRacer(pairs, undefined, environment);
  const [touched, failed]: [string[], string[]] = [[], []];
  try {
    for (let round = 0; round < rounds && touched.length === 0; round += 1) {
      for (const file of TRACKED) rmSync(join(path, file), { force: true });
      await actOf(harness, operation, round)().catch((error: unknown) => {
        if (!(error instanceof OutsideError)) failed.push(`${round}: ${String(error)}`);
      });
      touched.push(...(await canary.touched()).map((what) => `${round}: ${what}`));
    }
    return { touched, failed, found: await canariesIn(harness), exchanges: await racer.stop() };
  } finally {
    await racer.stop();
  }
}

/** Files and directories that are exchanged, by their links. Those in `.swap` git does not see. */
function plant(path: string, { directory }: Canary): readonly Exchanged[] {
  const at = (...parts: readonly string[]) => join(path, ...parts);
  mkdirSync(at(".swap"));
  writeFileSync(at(".swap", ".gitignore"), "*\n");
  symlinkSync(directory, at(".swap", "d"));
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
    digest: () => worktrees.digest(ref, ["note.txt", "package-lock.json"]),
    prepare: () => worktrees.prepare(ref, FRESH),
    rebuild: async () => {
      await harness.loseDirectory(NAME).catch(() => undefined);
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
async function canariesIn({ dataDir, mirror }: RealHarness): Promise<readonly string[]> {
  const objects = await plainGit(mirror, ["cat-file", "--batch", "--batch-all-objects", "--unordered"]);
  const scratch = join(dataDir, "git", "scratch");
  const left = readdirSync(scratch, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(CANARY));
  return [...(objects.includes(CANARY.slice(0, 10)) ? ["an object of the mirror"] : []), ...left];
}
