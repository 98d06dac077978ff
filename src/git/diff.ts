import type { BranchDiff, WorktreeRef } from "../core/ports/worktrees.ts";
import { commitAt, headOf } from "./commits.ts";
import type { GitHost } from "./git-host.ts";
import { mirrorGit } from "./mirror.ts";
import { placeOf } from "./places.ts";
import { assertCommit } from "./safe-names.ts";

/** Compares two commits in the mirror, without a work tree, so that no attribute of the agent's files counts. */
export async function readDiff(
  host: GitHost,
  ref: WorktreeRef,
  baseCommit: string,
  limit: number,
): Promise<BranchDiff> {
  assertCommit(baseCommit);
  const { branchRef } = placeOf(host.dataDir, ref);
  const kept = branchRef === null ? null : await commitAt(host, ref.repository, branchRef);
  const head = kept ?? (await headOf(host, ref));
  const compare = async (form: readonly string[], enoughBytes?: number) => {
    const { stdout } = await mirrorGit(host, ref.repository, {
      ...(enoughBytes === undefined ? {} : { enoughBytes }),
      args: ["diff-tree", "-r", ...SAFE, ...form, baseCommit, head],
      purpose: "compare the branch with its base",
    });
    return stdout;
  };
  const names = await compare(["--name-only", "-z"]);
  const patch = await compare(["--patch"], limit * MOST_BYTES_OF_A_CHARACTER);
  return { files: names.split("\0").filter((name) => name !== ""), patch: patch.slice(0, limit) };
}

const MOST_BYTES_OF_A_CHARACTER = 4;
const SAFE = ["--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty"];
