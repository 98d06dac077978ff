import { readRef, zeroSha } from "../git/refs.ts";
import { commitFiles, type FileChanges } from "../git/write-files.ts";
import type { Account, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { afterPush } from "./pushed.ts";

/** Pushes one commit as a person. A new branch starts at the default branch. Returns the commit's id. */
export async function commitAsPerson(
  world: World,
  repository: Repository,
  sender: Account,
  commit: { branch: string; files: FileChanges; message: string },
): Promise<string> {
  const { directory, defaultBranch } = repository;
  const ref = `refs/heads/${commit.branch}`;
  const before = await readRef(directory, ref);
  const parent = before ?? (await readRef(directory, `refs/heads/${defaultBranch}`));
  const author = { name: sender.name, email: sender.email, at: world.nowMs() };
  const after = await commitFiles(directory, { ...commit, parent, author });
  await afterPush(world, repository, sender, [{ ref, before: before ?? zeroSha, after }]);
  return after;
}
