import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import { ensureHostDirectories, type GitHost } from "./git-host.ts";
import { worktreePathsOf } from "./worktree-paths.ts";

/**
 * A temporary directory for one operation, which agents cannot see. git writes the objects of files that it reads
 * there, not into the mirror, because every agent of the repository can read the mirror's objects. `release` moves them
 * to the mirror.
 */
export interface Quarantine {
  readonly directory: string;
  /** Path of its own index. */
  readonly index: string;
  /** Environment for every command that reads or writes in the quarantine. */
  readonly env: Readonly<Record<string, string>>;
}

/** Above this number of objects they are written as one pack, as git does with received objects. */
export const MOST_LOOSE = 100;

/** Runs `work` with an empty quarantine, and deletes it afterwards with everything that was not released. */
export async function inQuarantine<T>(
  host: GitHost,
  ref: WorktreeRef,
  work: (quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  const quarantine = await makeQuarantine(host, ref);
  try {
    return await work(quarantine);
  } finally {
    await removeQuarantine(quarantine);
  }
}

/** Creates an empty quarantine. The caller removes it. */
export async function makeQuarantine(host: GitHost, ref: WorktreeRef): Promise<Quarantine> {
  await ensureHostDirectories(host);
  const directory = join(host.scratch, `quarantine-${randomUUID()}`);
  const [objects, index] = [join(directory, "objects"), join(directory, "index")];
  await mkdir(objects, { recursive: true, mode: 0o700 });
  return {
    directory,
    index,
    env: {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(worktreePathsOf(host.dataDir, ref).mirror, "objects"),
    },
  };
}

export async function removeQuarantine({ directory }: Quarantine): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/**
 * Moves all objects into the mirror and syncs them to disk before it returns: after that a commit may refer to them.
 */
export async function release(host: GitHost, ref: WorktreeRef, quarantine: Quarantine): Promise<void> {
  const objects = join(quarantine.directory, "objects");
  const target = join(worktreePathsOf(host.dataDir, ref).mirror, "objects");
  const loose = await looseIn(objects);
  if (loose.length > MOST_LOOSE) await pack(host, ref, { quarantine, loose, target });
  else await move(objects, target, loose);
  // git stores very large files in packs at once. A pack's index must not exist before the pack.
  const packs = await readdir(join(objects, "pack")).catch(() => []);
  const known = packs.filter((name) => /^pack-[0-9a-f]+\.(?:pack|rev|idx)$/.test(name));
  const inOrder = known.toSorted((one, other) => rank(one) - rank(other));
  await move(
    objects,
    target,
    inOrder.map((name) => join("pack", name)),
  );
}

const rank = (name: string) => (name.endsWith(".idx") ? 1 : 0);

/** Lists loose objects as `ab/cdef…`. */
async function looseIn(objects: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const directory of await readdir(objects)) {
    if (!/^[0-9a-f]{2}$/.test(directory)) continue;
    const names = await readdir(join(objects, directory));
    found.push(...names.filter((name) => /^[0-9a-f]+$/.test(name)).map((name) => join(directory, name)));
  }
  return found;
}

async function pack(
  host: GitHost,
  ref: WorktreeRef,
  {
    quarantine,
    loose,
    target,
  }: { readonly quarantine: Quarantine; readonly loose: readonly string[]; readonly target: string },
): Promise<void> {
  await mkdir(join(target, "pack"), { recursive: true });
  await mirrorGit(host, ref.repository, {
    // `--window=0`: searching for deltas would take longer than everything else, and the pack is temporary anyway.
    args: ["pack-objects", "--quiet", "--window=0", join(target, "pack", "pack")],
    input: `${loose.map((path) => path.replace("/", "")).join("\n")}\n`,
    env: quarantine.env,
    purpose: "take the objects over",
  });
}

/** Moves files in order, after all of them have been synced to disk. */
async function move(from: string, to: string, paths: readonly string[]): Promise<void> {
  // In parallel, because a disk syncs many files as fast as one.
  await Promise.all(paths.map((path) => sync(join(from, path))));
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await rename(join(from, path), join(to, path));
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
