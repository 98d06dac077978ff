import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { unlessGone } from "./directory.ts";
import { filesGit } from "./files-git.ts";
import type { GitHost } from "./git-host.ts";
import { visitPaths } from "./paths-below.ts";
import { placeOf } from "./places.ts";
import type { Quarantine } from "./quarantine.ts";
import { unquoted } from "./quoted-path.ts";

const OWNER_READS = 0o400;

/** A path that differs from HEAD. Names are bytes: what is not Unicode goes back to git as git quoted it. */
export interface Change {
  /** As people read it. One that ends with a slash is a nested repository. */
  readonly path: string;
  readonly quoted: string;
  /** A tracked file that is no longer there. */
  readonly deleted: boolean;
  /** The index has it as it is in the directory. */
  readonly staged: boolean;
}

/** What `status` tells, ignored files left out. Submodules are never entered: git would run there without our configuration. */
export async function readChanges(
  host: GitHost,
  ref: WorktreeRef,
  quarantine?: Quarantine,
): Promise<Change[]> {
  const { stdout } = await filesGit(host, ref, {
    args: [
      "-c",
      "core.quotePath=true",
      "status",
      "--porcelain=v1",
      "--no-renames",
      "--untracked-files=all",
      "--ignore-submodules=all",
    ],
    ...(quarantine === undefined ? {} : { quarantine }),
    purpose: "read the status of the worktree",
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const quoted = line.slice(3);
      return {
        path: String(unquoted(quoted)),
        quoted,
        deleted: /^[^UD]D/.test(line),
        staged: line[1] === " ",
      };
    });
}

/**
 * Tells of each change whether a commit can hold it: no socket or device in a file's place. A file that its owner may not
 * read is made readable. What is gone meanwhile can be taken in: as deleted.
 */
export async function canBeHeld(
  host: GitHost,
  ref: WorktreeRef,
  changes: readonly Change[],
): Promise<readonly boolean[]> {
  const held = changes.map(() => true);
  const paths = changes.map(({ quoted }) => unquoted(quoted));
  await visitPaths(placeOf(host.dataDir, ref).directory, paths, (place, index) => {
    const found = place?.directory.lstat(place.name);
    if (!place || !found) return;
    if (found.isFile() && (found.mode & OWNER_READS) === 0)
      unlessGone(() => place.directory.allowFile(place.name, OWNER_READS));
    held[index] = found.isFile() || found.isSymbolicLink() || found.isDirectory();
  });
  return held;
}
