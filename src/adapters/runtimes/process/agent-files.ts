import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, unlink } from "node:fs/promises";

/** Linux's flag for a handle that needs no read permission; Node does not export it. */
const O_PATH = 0o10000000;
const OWN_MODE = 0o700;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Runs `work` with a path to the directory `names` below `root` that stays valid while an agent renames and
 * links. Throws where one of the names is a link or no directory.
 */
export async function inDirectory<T>(
  root: string,
  names: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T> {
  let path = root;
  let directory = await openDirectory(root);
  try {
    for (const name of names) {
      path = `${placeOf(directory, path)}/${name}`;
      const below = await openDirectory(path);
      await directory.close();
      directory = below;
    }
    return await work(placeOf(directory, path));
  } finally {
    await directory.close();
  }
}

/** Opens a regular file for reading. Throws for anything else; never follows a link or waits for a pipe. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw new Error("it is not a regular file");
}

/**
 * Creates a directory for its owner only. Deletes anything else that an agent has put in its place, follows
 * no link, and restores permissions that an agent removed.
 */
export async function makeOwnDirectory(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() === true) {
    if ((found.mode & OWN_MODE) !== OWN_MODE) await giveRightsBack(path);
    return;
  }
  if (found !== undefined) await unlink(path);
  await mkdir(path, { recursive: true, mode: OWN_MODE });
}

async function giveRightsBack(path: string): Promise<void> {
  if (process.platform !== "linux") return;
  const directory = await open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    await chmod(placeOf(directory, path), OWN_MODE);
  } finally {
    await directory.close();
  }
}

function openDirectory(path: string): Promise<FileHandle> {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
}

/**
 * Only Linux has paths that begin at an open directory. Elsewhere agents run unconfined, and no path is safe
 * from them.
 */
function placeOf(directory: FileHandle, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${directory.fd}` : path;
}
