import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { ArchivedWork, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { ensureHostDirectories, type GitHost } from "../process/git-host.ts";
import { type WorktreePaths, worktreePathsOf } from "../process/worktree-paths.ts";
import { removeTree } from "../worktree/remove-tree.ts";
import { baseOf, isOnServer } from "./commits.ts";
import { mirrorGit } from "./mirror.ts";

/** Returns the path of this commit's bundle. A file with this name is always complete. */
export function bundlePath(place: WorktreePaths, commit: string): string {
  return join(place.archive, `${commit.slice(0, 12)}.bundle`);
}

/**
 * Returns the directories, kept beside this bundle, of files that a bundle cannot hold: the last one, and the next free
 * name.
 */
export async function keptFiles(
  bundle: string,
): Promise<{ readonly last: string | null; readonly next: string }> {
  const first = bundle.replace(/\.bundle$/, ".files");
  for (let last: string | null = null, copy = 1; ; copy += 1) {
    const next: string = copy === 1 ? first : `${first}-${copy}`;
    if ((await lstat(next).catch(() => null)) === null) return { last, next };
    last = next;
  }
}

/**
 * Writes the archive ref's commit, and all commits that the server's base lacks, into a bundle. The bundle gets its
 * name only after it is on disk and has been verified: git unpacks and hashes its objects separately from the mirror's
 * own.
 */
export async function writeBundle(host: GitHost, ref: WorktreeRef, commit: string): Promise<void> {
  const place = worktreePathsOf(host.dataDir, ref);
  await ensureHostDirectories(host);
  await mkdir(place.archive, { recursive: true, mode: 0o700 });
  const draft = join(host.scratch, `bundle-${randomUUID()}`);
  const base = await baseOf(host, ref);
  // Includes the whole history if a clone of the repository might lack the base.
  const lacks = base !== null && (await isOnServer(host, ref.repository, base)) ? [`^${base}`] : [];
  try {
    await mirrorGit(host, ref.repository, {
      args: ["bundle", "create", "--quiet", draft, place.archiveRef, ...lacks],
      purpose: `archive the work of ${ref.name}`,
    });
    await sync(draft);
    await unpack(host, ref, draft);
    await rename(draft, bundlePath(place, commit));
  } finally {
    await rm(draft, { force: true });
  }
  for (let path = place.archive; path !== dirname(host.dataDir); path = dirname(path)) await sync(path);
}

/** Reads the facts of the bundle from the file on disk. */
export async function readBundle(host: GitHost, path: string): Promise<ArchivedWork> {
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path);
  for await (const chunk of file.createReadStream()) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  const { last: files } = await keptFiles(path);
  return {
    path: relative(host.dataDir, path),
    sha256: hash.digest("hex"),
    bytes,
    ...(files === null ? {} : { files: relative(host.dataDir, files) }),
  };
}

async function unpack(host: GitHost, ref: WorktreeRef, bundle: string): Promise<void> {
  const objects = join(host.scratch, `objects-${randomUUID()}`);
  await mkdir(objects, { mode: 0o700 });
  try {
    await mirrorGit(host, ref.repository, {
      args: ["bundle", "unbundle", bundle],
      env: {
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(worktreePathsOf(host.dataDir, ref).mirror, "objects"),
      },
      purpose: `read the archive of ${ref.name} back`,
    });
  } finally {
    await removeTree(objects);
  }
}

/** Syncs a file's content, or a directory's entries, to disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
