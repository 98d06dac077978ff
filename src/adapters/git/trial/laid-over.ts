import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import { ensureHostDirectories, type GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { type Entry, entriesOf, GONE, RAW_DIFF, textsOf } from "../worktree/tree-entries.ts";

/** Trees are made again at each judgement; a commit of the same files is the same one. */
const MADE_BY = {
  GIT_AUTHOR_NAME: "Flotilla",
  GIT_AUTHOR_EMAIL: "flotilla@localhost",
  GIT_AUTHOR_DATE: "@0 +0000",
  GIT_COMMITTER_NAME: "Flotilla",
  GIT_COMMITTER_EMAIL: "flotilla@localhost",
  GIT_COMMITTER_DATE: "@0 +0000",
};

/** Returns what differs between two commits, by path. */
export async function differenceOf(
  host: GitHost,
  repository: RepositoryRef,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly Entry[]> {
  for (const commit of [from, to]) assertCommit(commit);
  const { stdout } = await mirrorGit(host, repository, {
    args: [...RAW_DIFF, from, to],
    purpose: "compare two commits",
  });
  return entriesOf(stdout);
}

/** Returns whether the entry is a regular file, with any permissions. */
export const isFile = (mode: string): boolean => mode === "100644" || mode === "100755";

/**
 * Writes a commit with the files of `onto`, except that the paths are as in `from`: regular files of it, or none. Only git's
 * objects are read and written, so no link in either commit is followed. Returns the commit, which no ref names.
 */
export async function layOver(
  host: GitHost,
  repository: RepositoryRef,
  { onto, from, paths }: { readonly onto: string; readonly from: string; readonly paths: readonly string[] },
): Promise<string> {
  const wanted = new Set(paths);
  const changed = (await differenceOf(host, repository, { from: onto, to: from })).filter(({ path }) =>
    wanted.has(path),
  );
  await ensureHostDirectories(host);
  const index = join(host.scratch, `index-${randomUUID()}`);
  const git = async (
    args: readonly string[],
    more: { input?: string; env?: Record<string, string> } = {},
  ) => {
    const env = { ...more.env, GIT_INDEX_FILE: index };
    const { stdout } = await mirrorGit(host, repository, {
      ...more,
      args,
      env,
      purpose: "lay tests over a result",
    });
    return stdout.trim();
  };
  try {
    await git(["read-tree", onto]);
    await git(["update-index", "-z", "--index-info"], { input: changed.map(lineOf).join("") });
    const tree = await git(["write-tree"]);
    return await git(["commit-tree", tree, "-F", "-"], { input: "Tests laid over a result\n", env: MADE_BY });
  } finally {
    await rm(index, { force: true });
  }
}

/** A mode of zeros removes the path. */
const lineOf = ({ path, mode, blob }: Entry): string =>
  isFile(mode) ? `${mode} ${blob}\t${path}\0` : `0 ${"0".repeat(blob.length)}\t${path}\0`;

/** Returns the texts of files of a difference, before and after, by path; undefined where a commit has no such file. */
export async function textsOfDifference(
  host: GitHost,
  repository: RepositoryRef,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, { readonly before: string | undefined; readonly after: string | undefined }>> {
  const wanted = entries.flatMap(({ before, blobBefore, mode, blob }) => [
    ...(isFile(before) ? [blobBefore] : []),
    ...(isFile(mode) ? [blob] : []),
  ]);
  const git = async (args: readonly string[], input = "") =>
    (await mirrorGit(host, repository, { args, input, purpose: "read files of a commit" })).stdout;
  const texts = await textsOf(git, [...new Set(wanted)]);
  return new Map(
    entries.map(({ path, before, blobBefore, mode, blob }) => [
      path,
      {
        before: before === GONE ? undefined : texts.get(blobBefore),
        after: mode === GONE ? undefined : texts.get(blob),
      },
    ]),
  );
}
