import { readRef, updateRef, zeroSha } from "../git/refs.ts";
import { signCommit } from "../git/signatures.ts";
import { commitFiles, type FileChanges } from "../git/write-files.ts";
import type { Account, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { afterPush } from "./pushed.ts";
import { rulesOf } from "./rules.ts";

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
  const made = await commitFiles(directory, { ...commit, parent, author });
  // People have keys of their own where a rule asks for signatures.
  const signs = rulesOf(repository, commit.branch).signatures !== null;
  const after = signs ? await signCommit(directory, made) : made;
  if (after !== made) await updateRef(directory, ref, after, made);
  await afterPush(world, repository, sender, [{ ref, before: before ?? zeroSha, after }]);
  return after;
}
