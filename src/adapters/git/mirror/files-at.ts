import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { TreeFile } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { textsOf } from "../worktree/tree-entries.ts";
import { mirrorGit } from "./mirror.ts";

/** git knows these trees without storing them, by the length of its hashes. */
const EMPTY_TREES: Readonly<Record<number, string>> = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};
/** Output that is read of a listing: some ten thousand entries. */
const MOST_LISTED_BYTES = 4 * 1024 * 1024;
const KINDS: Readonly<Record<string, TreeFile["kind"]>> = { "120000": "link", "160000": "submodule" };

/**
 * Lists entries of a commit that match a pattern. `ls-tree` takes no pattern, and would print the names of a whole large
 * repository, so the commit is compared with the empty tree.
 */
export async function filesAt(
  host: GitHost,
  repository: RepositoryRef,
  commit: string,
  { patterns, most }: { readonly patterns: readonly string[]; readonly most: number },
): Promise<readonly TreeFile[]> {
  assertCommit(commit);
  const { stdout } = await mirrorGit(host, repository, {
    args: [
      "diff-tree",
      "-r",
      "-z",
      "--raw",
      "--no-renames",
      EMPTY_TREES[commit.length] ?? "",
      commit,
      "--",
      ...patterns,
    ],
    env: { GIT_LITERAL_PATHSPECS: "0", GIT_GLOB_PATHSPECS: "1" },
    enoughBytes: MOST_LISTED_BYTES,
    purpose: "list files of a commit",
  });
  // The part after the last zero is empty, or an incomplete entry.
  const parts = stdout.split("\0").slice(0, -1);
  const found = parts
    .slice(0, 2 * most)
    .flatMap((about, index) => (index % 2 === 0 ? entryOf(about, parts[index + 1]) : []));
  const sizes = await sizesOf(host, repository, found);
  return found.map((entry, index) => ({ ...entry, bytes: sizes[index] ?? 0 }));
}

type Entry = Omit<TreeFile, "bytes">;

/** `about` = `:<old mode> <new mode> <old hash> <new hash> A`. */
function entryOf(about: string, path: string | undefined): readonly Entry[] {
  const [, mode = "", , blob = ""] = about.split(" ");
  return path === undefined ? [] : [{ path, blob, kind: KINDS[mode] ?? "file" }];
}

/** Returns the size of each entry; 0 for one that the mirror does not have, such as a submodule's commit. */
async function sizesOf(
  host: GitHost,
  repository: RepositoryRef,
  entries: readonly Entry[],
): Promise<readonly number[]> {
  if (entries.length === 0) return [];
  const { stdout } = await mirrorGit(host, repository, {
    args: ["cat-file", "--batch-check=%(objectsize)"],
    input: `${entries.map(({ blob }) => blob).join("\n")}\n`,
    purpose: "read the sizes of files",
  });
  return stdout.split("\n").map((line) => (/^\d+$/.test(line) ? Number(line) : 0));
}

/** Returns the beginning of a content. Bytes that are no UTF-8 become the replacement character. */
export async function readBlob(
  host: GitHost,
  repository: RepositoryRef,
  blob: string,
  most: number,
): Promise<string> {
  assertCommit(blob);
  const { stdout } = await mirrorGit(host, repository, {
    args: ["cat-file", "blob", blob],
    enoughBytes: most,
    purpose: "read a file of a commit",
  });
  return Buffer.from(stdout).subarray(0, most).toString();
}

/** Returns whole contents by their hashes. */
export async function readTexts(
  host: GitHost,
  repository: RepositoryRef,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  for (const blob of blobs) assertCommit(blob);
  const git = async (args: readonly string[], input = "") =>
    (await mirrorGit(host, repository, { args, input, purpose: "read files of a commit" })).stdout;
  return textsOf(git, blobs);
}
