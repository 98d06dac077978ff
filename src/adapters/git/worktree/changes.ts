import { setImmediate } from "node:timers/promises";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { filesGit } from "../process/files-git.ts";
import type { GitHost } from "../process/git-host.ts";
import type { Quarantine } from "../process/quarantine.ts";
import { unquoted } from "../process/quoted-path.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { unlessGone } from "./directory.ts";
import { visitPaths } from "./paths-below.ts";

const OWNER_READS = 0o400;

/**
 * A path that differs from HEAD. Names are bytes: a name that is not Unicode is passed back to git in git's own
 * quoting.
 */
export interface Change {
  /** The path as people read it. A path that ends with a slash is a nested repository. */
  readonly path: string;
  readonly quoted: string;
  /** True for a tracked file that no longer exists. */
  readonly deleted: boolean;
  /** True if the index has it as it is in the directory. */
  readonly staged: boolean;
}

/** Maximum number of changes that are read; the names of millions alone would fill the memory. */
const MOST_CHANGES = 250_000;
/** Lines parsed at a time: some milliseconds of work, after which the event loop continues. */
const LINES_AT_ONCE = 5_000;

/** Reads every change. Throws code `too_many_changes` if there are too many. */
export async function readChanges(
  host: GitHost,
  ref: WorktreeRef,
  quarantine: Quarantine,
): Promise<readonly Change[]> {
  const { changes, isCut } = await readSomeChanges(host, ref, { most: MOST_CHANGES, quarantine });
  if (!isCut) return changes;
  throw new GitError("too_many_changes", `more than ${MOST_CHANGES.toLocaleString("en")} files changed`, {
    consequence: "tell",
    advice: "Delete what is no part of the work, or name it in .gitignore.",
  });
}

/**
 * Reads the first changes, as `status` prints them, without ignored files. Never enters submodules: git would run there
 * without our configuration.
 */
export async function readSomeChanges(
  host: GitHost,
  ref: WorktreeRef,
  { most, quarantine }: { readonly most: number; readonly quarantine?: Quarantine },
): Promise<{ readonly changes: readonly Change[]; readonly isCut: boolean }> {
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
    mostLines: most,
    purpose: "read the status of the worktree",
  });
  // The part after the last line end is empty, or an incomplete line.
  const lines = stdout.split("\n").slice(0, -1);
  const changes: Change[] = [];
  for (const [index, line] of lines.slice(0, most).entries()) {
    const quoted = line.slice(3);
    changes.push({
      path: String(unquoted(quoted)),
      quoted,
      deleted: /^[^UD]D/.test(line),
      staged: line[1] === " ",
    });
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await setImmediate();
  }
  return { changes, isCut: lines.length > most };
}

/**
 * Returns for each change whether a commit can hold it; a socket or device cannot be committed. Makes files readable
 * that their owner may not read. A file that has disappeared can be committed as deleted.
 */
export async function canBeHeld(
  host: GitHost,
  ref: WorktreeRef,
  changes: readonly Change[],
): Promise<readonly boolean[]> {
  const held = changes.map(() => true);
  const paths = changes.map(({ quoted }) => unquoted(quoted));
  await visitPaths(worktreePathsOf(host.dataDir, ref).directory, paths, (place, index) => {
    const found = place?.directory.lstat(place.name);
    if (!place || !found) return;
    if (found.isFile() && (found.mode & OWNER_READS) === 0)
      unlessGone(() => place.directory.allowFile(place.name, OWNER_READS));
    held[index] = found.isFile() || found.isSymbolicLink() || found.isDirectory();
  });
  return held;
}
