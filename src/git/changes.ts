import { chmod, lstat } from "node:fs/promises";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { filesGit } from "./files-git.ts";
import type { GitHost } from "./git-host.ts";
import { below } from "./long-path.ts";
import { placeOf } from "./places.ts";
import { unquoted } from "./quoted-path.ts";

/** A path that differs from HEAD. Names are bytes: what is not Unicode goes back to git as git quoted it. */
export interface Change {
  /** As people read it. One that ends with a slash is a nested repository. */
  readonly path: string;
  readonly quoted: string;
  /** A tracked file that is no longer there. */
  readonly deleted: boolean;
}

/** What `status` tells, ignored files left out. Submodules are never entered: git would run there without our configuration. */
export async function readChanges(
  host: GitHost,
  ref: WorktreeRef,
  env: Readonly<Record<string, string>>,
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
    env,
    purpose: "read the status of the worktree",
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const quoted = line.slice(3);
      return { path: String(unquoted(quoted)), quoted, deleted: /^[^UD]D/.test(line) };
    });
}

/**
 * False for what no commit can hold: a socket or device in a file's place. A file that its owner may not read is made
 * readable. What is gone meanwhile can be taken in: as deleted.
 */
export async function canBeHeld(host: GitHost, ref: WorktreeRef, { quoted }: Change): Promise<boolean> {
  const path = below(Buffer.from(placeOf(host.dataDir, ref).directory), unquoted(quoted));
  const found = await lstat(path).catch(() => null);
  if (found === null) return true;
  if (found.isFile() && (found.mode & 0o400) === 0) await chmod(path, (found.mode & 0o7777) | 0o400);
  return found.isFile() || found.isSymbolicLink() || found.isDirectory();
}
