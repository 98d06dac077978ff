import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unquoted } from "../../../src/adapters/git/process/quoted-path.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import type { Hostile } from "./hostile-trees.ts";
import { plainGit } from "./plain-git.ts";
import type { RealHarness } from "./real-harness.ts";

/** An operation that has not ended by then waits for something that never comes. */
const HANGS_AFTER_MS = 15_000;
const SECRET = "precious and outside";

interface Outcome {
  readonly operations: number;
  readonly failed: readonly string[];
  /** What was there before and is not as it was. */
  readonly changedOutside: boolean;
  readonly secretInGit: boolean;
  /** Names of work that the archive lacks. */
  readonly missing: readonly string[];
  readonly directoryLeft: boolean;
}

/** Every operation of ours on a worktree in which these are planted before each. */
export async function tryHostile(
  harness: RealHarness,
  name: string,
  hostile: readonly Hostile[],
): Promise<Outcome> {
  const { repository, worktrees } = harness;
  const ref = { repository, name, branch: `flotilla/${name}` };
  const outside = join(harness.dataDir, "..", "outside");
  await mkdir(join(outside, "kept"), { recursive: true });
  await writeFile(join(outside, "secret.txt"), SECRET);
  await writeFile(join(outside, "file.txt"), "linked\n");
  await writeFile(join(outside, "kept", "a.txt"), SECRET);
  const { path, baseCommit } = await worktrees.prepare(ref, FRESH);
  const before = everything(outside);
  const main = async () =>
    void (await harness.serverCommit("main", { "src/b.txt": `${name}\n`, "later.txt": `${name}\n` }));
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    status: () => worktrees.status(ref),
    tree: () => worktrees.tree(ref),
    pending: () => worktrees.pending(ref, 10_000),
    digest: () => worktrees.digest(ref, ["README.md", "package-lock.json", ".gitignore"]),
    checkpoint: () => worktrees.checkpoint(ref),
    restore: () => worktrees.restore(ref, ["README.md", "src", "loop", "device", "pipes", "d".repeat(200)]),
    commit: () => worktrees.commit(ref, { message: "work", author: AUTHOR }),
    diff: () => worktrees.diff(ref, baseCommit, 1_000),
    push: () => worktrees.push(ref),
    prepare: () => worktrees.prepare(ref, { base: null, reusePushed: true }),
    checkout: async () => worktrees.checkout(ref, (await worktrees.status(ref)).head ?? ""),
    "remove the checkout": () => worktrees.removeCheckout(ref),
    behind: async () => main().then(() => worktrees.behind(ref, "main")),
    "bring in": () => worktrees.bringIn(ref, "main"),
    remove: () => worktrees.remove(ref, { base: "main" }),
  };
  const failed: string[] = [];
  for (const [step, act] of Object.entries(steps)) {
    for (const one of hostile) one.plant(path, outside);
    const error = await withDeadline(act);
    if (error !== null) failed.push(`${step}: ${error}`);
  }
  const kept = await filesOf(harness.mirror, `refs/flotilla/archives/${name}`);
  return {
    operations: Object.keys(steps).length,
    failed,
    changedOutside: everything(outside) !== before,
    secretInGit: (await contentsOf(harness.mirror)).includes(SECRET),
    missing: hostile
      .flatMap(({ keeps }) => keeps ?? [])
      .map((wanted) => wanted.toString("latin1"))
      .filter((wanted) => !kept.includes(wanted)),
    directoryLeft: (await lstat(path).catch(() => null)) !== null,
  };
}

/** Null when the act ended well; else what went wrong. */
async function withDeadline(act: () => Promise<unknown>): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve("hangs"), HANGS_AFTER_MS);
  const ended = act().then(
    () => null,
    (error: unknown) => String(error),
  );
  return Promise.race([ended, promise]).finally(() => clearTimeout(timer));
}

/** Names, kinds, modes and contents below a directory, as one text. */
function everything(directory: string): string {
  return readdirSync(directory, { withFileTypes: true })
    .map((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return `${path}/\n${everything(path)}`;
      return `${path} ${entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "utf8")}`;
    })
    .join("\n");
}

async function filesOf(mirror: string, ref: string): Promise<readonly string[]> {
  const listed = await plainGit(mirror, ["-c", "core.quotePath=true", "ls-tree", "-r", "--name-only", ref]);
  return listed.split("\n").map((path) => unquoted(path).toString("latin1"));
}

async function contentsOf(mirror: string): Promise<string> {
  return plainGit(mirror, ["cat-file", "--batch", "--batch-all-objects", "--unordered"]);
}
