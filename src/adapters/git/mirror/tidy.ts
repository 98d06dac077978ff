import { stat, statfs } from "node:fs/promises";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { filesEnvironment } from "../process/git-environment.ts";
import { ensureHostDirectories, type GitHost } from "../process/git-host.ts";
import { answerOf, type GitAnswer } from "../process/run-git.ts";
import { runProcess } from "../process/run-process.ts";
import { mirrorPath } from "../process/worktree-paths.ts";
import { restoreMirror, withoutFetch } from "./mirror.ts";

/** Objects that a running operation still needs are younger: an operation takes some minutes at most. */
const GRACE = "2.days.ago";
const LIMIT_MS = 30 * 60_000;
const MANY_PACKS = 10;
const MANY_LOOSE = 1_000;
const KIB = 1024;

/**
 * Packs a mirror that has many packs into one, and deletes objects that no ref, worktree or index has reached for two
 * days. Objects that running agents reach are kept. Packing needs space for a second copy; without it, only deletes
 * objects.
 */
export async function tidyMirror(host: GitHost, repository: RepositoryRef): Promise<void> {
  const mirror = mirrorPath(host.dataDir, repository);
  if ((await stat(mirror).catch(() => null)) === null) return;
  await withoutFetch(host, repository, async () => {
    const { count, packs, packKib } = await sizesOf(host, mirror);
    const { bavail, bsize } = await statfs(mirror);
    const isScattered = packs >= MANY_PACKS || count >= MANY_LOOSE;
    if (isScattered && bavail * bsize > 2 * packKib * KIB)
      await idleGit(host, mirror, ["repack", "-A", "-d", "--quiet", `--unpack-unreachable=${GRACE}`]);
    await idleGit(host, mirror, ["prune", `--expire=${GRACE}`]);
  });
}

async function sizesOf(host: GitHost, mirror: string) {
  const { stdout } = await idleGit(host, mirror, ["count-objects", "-v"]);
  const numberOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(stdout)?.[1] ?? 0);
  return { count: numberOf("count"), packs: numberOf("packs"), packKib: numberOf("size-pack") };
}

/** Runs git on the mirror with the lowest priority. */
async function idleGit(host: GitHost, mirror: string, args: readonly string[]): Promise<GitAnswer> {
  await ensureHostDirectories(host);
  await restoreMirror(mirror);
  const purpose = `tidy the mirror by git ${args[0]}`;
  const command = {
    file: "nice",
    args: ["-n", "19", "git", `--git-dir=${mirror}`, ...args],
    cwd: host.home,
    env: { ...filesEnvironment(host), GIT_COMMON_DIR: mirror },
  };
  const end = await runProcess(command, { input: "", limitMs: LIMIT_MS });
  if (end.cut === null) return answerOf(host, { purpose }, end);
  throw new GitError(end.cut, `could not ${purpose}: git did not end in time`, {
    consequence: "retry",
    advice: "It is tried again tomorrow; nothing is lost meanwhile.",
  });
}
