import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSerial } from "../http/serial.ts";
import { git, gitBytes } from "./run.ts";
import type { Signature } from "./write-files.ts";

export type MergeMethod = "merge" | "squash" | "rebase";

/**
 * Runs one merge of a repository at a time: when git adds a worktree, it reads unfinished worktrees of other merges.
 */
const inTurn = new Map<string, ReturnType<typeof createSerial>>();

/**
 * Merges `head` into `base` in a temporary worktree. Returns the id of the new commit, which no ref names yet;
 * undefined if they conflict.
 */
export async function mergeCommits(directory: string, merge: Merge): Promise<string | undefined> {
  const serial = inTurn.get(directory) ?? createSerial();
  inTurn.set(directory, serial);
  return serial(() => mergedAlone(directory, merge));
}

interface Merge {
  readonly base: string;
  readonly head: string;
  readonly method: MergeMethod;
  readonly message: string;
  readonly author: Signature;
}

async function mergedAlone(directory: string, merge: Merge): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), "flotilla-merge-"));
  const worktree = join(scratch, "tree");
  const date = `@${Math.floor(merge.author.at / 1000)} +0000`;
  const env = {
    GIT_AUTHOR_NAME: merge.author.name,
    GIT_AUTHOR_EMAIL: merge.author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: "GitHub",
    GIT_COMMITTER_EMAIL: "noreply@github.com",
    GIT_COMMITTER_DATE: date,
  };
  try {
    if (merge.method === "rebase") return await rebased(directory, worktree, merge, env);
    await git(directory, ["worktree", "add", "--quiet", "--detach", worktree, merge.base]);
    const how = merge.method === "squash" ? ["--squash"] : ["--no-ff", "-m", merge.message];
    const { code } = await gitBytes(worktree, ["merge", "--quiet", ...how, merge.head], { env, accept: [1] });
    if (code !== 0) return undefined;
    if (merge.method === "squash") {
      await git(worktree, ["commit", "--quiet", "--allow-empty", "-m", merge.message], { env });
    }
    return await git(worktree, ["rev-parse", "HEAD"]);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await git(directory, ["worktree", "prune"]);
  }
}

/** Replays the head's own commits one by one on top of the base, also where they stand on it, as GitHub does. */
async function rebased(
  directory: string,
  worktree: string,
  { base, head }: { readonly base: string; readonly head: string },
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  await git(directory, ["worktree", "add", "--quiet", "--detach", worktree, head]);
  const { code } = await gitBytes(worktree, ["rebase", "--quiet", "--force-rebase", base], {
    env: {
      GIT_COMMITTER_NAME: env["GIT_COMMITTER_NAME"] ?? "",
      GIT_COMMITTER_EMAIL: env["GIT_COMMITTER_EMAIL"] ?? "",
    },
    accept: [1],
  });
  return code === 0 ? await git(worktree, ["rev-parse", "HEAD"]) : undefined;
}
