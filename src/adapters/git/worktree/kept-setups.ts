import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { KeptSetup, MadeSetup } from "../../../domain/ports/kept-setups.ts";
import type { WorktreeRef, Worktrees } from "../../../domain/ports/worktrees.ts";
import { ensureHostDirectories, type GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { copyTree } from "./copy-tree.ts";
import { Directory } from "./directory.ts";
import { inspectTree } from "./inspect-tree.ts";
import { visitPaths } from "./paths-below.ts";
import { removeBelow, removeTree } from "./remove-tree.ts";

const GIB = 1024 ** 3;
/** Of one repository: some lock files are in use at a time, such as those of two branches. */
const MOST_COPIES = 3;
const MOST_BYTES = 8 * GIB;
const MOST_FILES = 500_000;
const UNUSED_MS = 14 * 24 * 60 * 60_000;

const NOTE = "made.json";
const note = z.strictObject({ commit: z.string(), at: z.int(), bytes: z.int() });

/** See the port. A copy is whole from the moment at which it has its name: `setups/<repository>/<key>`. */
export function keepSetup(
  host: GitHost,
  ref: WorktreeRef,
  made: Parameters<Worktrees["keepSetup"]>[1],
): Promise<string | null> {
  return host.locks.run(lockOf(ref.repository.id), () =>
    withStage(host, async (stage) => {
      const path = copyPath(host, ref.repository.id, made.key);
      if ((await noteOf(path)) !== null) return null;
      const { directory } = worktreePathsOf(host.dataDir, ref);
      const fault = await stageFrom(host, { directory, made, stage });
      if (typeof fault === "string") return fault;
      const { commit, at } = made;
      await writeFile(join(stage, NOTE), JSON.stringify({ commit, at, bytes: fault.bytes }));
      await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
      await touch(stage, at);
      await makeRoom(host, ref.repository.id, fault.bytes);
      // Without its note it is none of ours.
      await removeTree(path);
      await rename(stage, path);
      return null;
    }),
  );
}

/** Copies the directories; looks at them before, to copy nothing for nothing, and again at the copies, which are ours. */
async function stageFrom(
  host: GitHost,
  {
    directory,
    made,
    stage,
  }: {
    readonly directory: string;
    readonly made: MadeSetup & { readonly room: number };
    readonly stage: string;
  },
): Promise<string | { readonly bytes: number }> {
  const found = await inspected(directory, made.directories, directory);
  if (typeof found === "string") return found;
  if (found.bytes > MOST_BYTES || found.files > MOST_FILES)
    return `they hold more than ${MOST_BYTES / GIB} GiB or ${MOST_FILES} files`;
  if (found.bytes > made.room) return "the disk has no room for them";
  for (const [at, path] of made.directories.entries()) {
    const why = await copyTree(host, { top: directory, path }, { top: stage, name: String(at) });
    if (why !== null) return why;
  }
  const copied = await inspected(stage, [...made.directories.keys()].map(String), directory);
  return typeof copied === "string" || copied.files === found.files
    ? copied
    : "they changed while they were copied";
}

/** Sums up the directories at these paths; returns why they cannot be used elsewhere. */
async function inspected(
  top: string,
  paths: readonly string[],
  home: string,
): Promise<string | { readonly bytes: number; readonly files: number }> {
  const sum = { bytes: 0, files: 0 };
  const faults: string[] = [];
  await visitPaths(top, asBytes(paths), async (place, index) => {
    if (!place?.directory.lstat(place.name)?.isDirectory()) {
      faults.push(`${JSON.stringify(paths[index])} is no directory after the commands`);
      return;
    }
    const directory = place.directory.directory(place.name);
    try {
      const { bytes, files, fault } = await inspectTree(directory, home);
      sum.bytes += bytes;
      sum.files += files;
      if (fault !== null) faults.push(fault);
    } finally {
      directory.close();
    }
  });
  return faults[0] ?? sum;
}

/** See the port; `ref` is that of the worktree, or of its checkout. */
export function restoreSetup(
  host: GitHost,
  ref: WorktreeRef,
  { key, directories, at }: MadeSetup & { readonly at: number },
): Promise<KeptSetup | null> {
  return withStage(host, async (stage) => {
    const path = copyPath(host, ref.repository.id, key);
    const target = worktreePathsOf(host.dataDir, ref).directory;
    const [identity, made] = [await identityOf(path), await noteOf(path)];
    if (made === null || !(await areFree(target, directories))) return null;
    for (const index of directories.keys()) {
      const name = String(index);
      const why = await copyTree(host, { top: path, path: name }, { top: stage, name });
      if (why === null) continue;
      host.log.warn({ worktree: ref.name, why }, "setup not reused");
      return null;
    }
    // A copy loses its name before its files, so one that still has it was whole while it was read.
    if ((await identityOf(path)) !== identity) return null;
    if (!(await putInto(target, directories, stage))) return null;
    await touch(path, at).catch(() => undefined);
    return { commit: made.commit, at: made.at };
  });
}

async function areFree(target: string, directories: readonly string[]): Promise<boolean> {
  let free = true;
  await visitPaths(target, asBytes(directories), (place) => {
    if (place === null || place.directory.lstat(place.name) !== null) free = false;
  });
  return free;
}

/** Moves the staged directories to their places; none if one of the places is taken meanwhile. */
async function putInto(target: string, directories: readonly string[], stage: string): Promise<boolean> {
  const paths = asBytes(directories);
  const from = Directory.open(stage);
  let put = 0;
  try {
    await visitPaths(target, paths, (place, index) => {
      if (put !== index || place === null || place.directory.lstat(place.name) !== null) return;
      from.rename(String(index), place.directory, place.name);
      put += 1;
    });
  } finally {
    from.close();
    if (put < paths.length) await removeBelow(target, paths.slice(0, put));
  }
  return put === paths.length;
}

/** Deletes what is kept of a repository; of all for null. */
export async function dropSetups(host: GitHost, repositoryId: number | null): Promise<void> {
  const top = join(host.dataDir, "setups");
  const all = repositoryId === null ? await namesIn(top) : [String(repositoryId)];
  for (const id of all)
    await host.locks.run(lockOf(id), async () => {
      for (const key of await namesIn(join(top, id))) await retire(host, join(top, id, key));
    });
}

/** Deletes what was not used for two weeks, as that of a repository without agents. */
export async function dropUnusedSetups(host: GitHost, repositoryId: number): Promise<void> {
  await host.locks.run(lockOf(repositoryId), async () => {
    for (const { path, usedAt } of await copiesOf(host, repositoryId))
      if (usedAt < Date.now() - UNUSED_MS) await retire(host, path);
  });
}

/** Deletes the copies that were not used for longest, until one more with so many bytes fits. */
async function makeRoom(host: GitHost, repositoryId: number, bytes: number): Promise<void> {
  const copies = (await copiesOf(host, repositoryId)).toSorted((one, other) => one.usedAt - other.usedAt);
  let sum = copies.reduce((all, copy) => all + copy.bytes, bytes);
  for (const [at, copy] of copies.entries()) {
    if (copies.length - at < MOST_COPIES && sum <= MOST_BYTES) return;
    await retire(host, copy.path);
    sum -= copy.bytes;
  }
}

async function copiesOf(host: GitHost, repositoryId: number) {
  const top = join(host.dataDir, "setups", String(repositoryId));
  const copies = [];
  for (const key of await namesIn(top)) {
    const path = join(top, key);
    const usedAt = (await lstat(path).catch(() => null))?.mtimeMs ?? 0;
    copies.push({ path, usedAt, bytes: (await noteOf(path))?.bytes ?? 0 });
  }
  return copies;
}

/** Takes a copy its name, then deletes it. What a crash leaves, the next start deletes. */
async function retire(host: GitHost, path: string): Promise<void> {
  await withStage(host, (stage) => rename(path, join(stage, "retired")));
}

/** Gives the work a directory of ours, and deletes it afterwards. */
async function withStage<T>(host: GitHost, work: (stage: string) => Promise<T>): Promise<T> {
  await ensureHostDirectories(host);
  const stage = join(host.scratch, randomUUID());
  await mkdir(stage, { mode: 0o700 });
  try {
    return await work(stage);
  } finally {
    await removeTree(stage);
  }
}

function copyPath(host: GitHost, repositoryId: number, key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`no key of a setup: ${key}`);
  return join(host.dataDir, "setups", String(repositoryId), key);
}

async function noteOf(path: string): Promise<z.infer<typeof note> | null> {
  const text = await readFile(join(path, NOTE), "utf8").catch(() => null);
  try {
    return text === null ? null : note.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The copy's own time says when it was used last. */
function touch(path: string, at: number): Promise<void> {
  return utimes(path, at / 1000, at / 1000);
}

async function identityOf(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  return found === null ? null : `${found.ino} ${found.birthtimeMs}`;
}

async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch(() => []);
}

const asBytes = (paths: readonly string[]) => paths.map((path) => Buffer.from(path));

const lockOf = (repositoryId: number | string) => `setups:${repositoryId}`;
