import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { git, gitBytes } from "./run.ts";
import type { Signature } from "./write-files.ts";

/** A file of a new tree: its content, or the id of an existing blob. */
export interface NewEntry {
  readonly path: string;
  readonly mode: string;
  readonly content: string | { readonly sha: string };
}

/** Returns whether an object of that type exists. */
export async function isObjectOf(
  directory: string,
  sha: string,
  type: "blob" | "tree" | "commit",
): Promise<boolean> {
  if (!/^[0-9a-f]{40}$/.test(sha)) return false;
  const { code, stdout } = await gitBytes(directory, ["cat-file", "-t", sha], { accept: [0, 128] });
  return code === 0 && stdout.toString().trim() === type;
}

/** Creates a tree from `base` (undefined: from nothing) with these files in it. Returns its id; no ref leads to it. */
export async function makeTree(
  directory: string,
  base: string | undefined,
  entries: readonly NewEntry[],
): Promise<string> {
  const index = join(directory, `index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  const run = async (args: readonly string[]): Promise<string> =>
    (await gitBytes(directory, args, { env })).stdout.toString().trim();
  try {
    await run(base === undefined ? ["read-tree", "--empty"] : ["read-tree", base]);
    for (const { path, mode, content } of entries) {
      const blob =
        typeof content === "string"
          ? await git(directory, ["hash-object", "-w", "--stdin"], { input: Buffer.from(content) })
          : content.sha;
      await run(["update-index", "--add", "--cacheinfo", `${mode},${blob},${path}`]);
    }
    return await run(["write-tree"]);
  } finally {
    await rm(index, { force: true });
  }
}

/** Creates a commit that no ref leads to. Returns its id. */
export async function makeCommit(
  directory: string,
  commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly author: Signature;
    readonly committer: Signature;
  },
): Promise<string> {
  const { tree, parents, message, author, committer } = commit;
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: dateOf(author),
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: dateOf(committer),
  };
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  const made = await gitBytes(directory, args, { env, input: Buffer.from(message) });
  return made.stdout.toString().trim();
}

function dateOf({ at }: Signature): string {
  return `${Math.floor(at / 1000)} +0000`;
}
