import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { open, unlink } from "node:fs/promises";

const LINUX = process.platform === "linux";
/**
 * Opens a file that may not be read, and has no effect on a pipe or device. Exists only on Linux; Node has no name for
 * it.
 */
const O_PATH = LINUX ? 0o10000000 : 0;
const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Number of entries that one read of a directory requests. */
const AT_ONCE = 256;
const LONGEST_SHOWN = 4_096;

/**
 * A directory held open by its handle. It stays the same directory while other processes rename or replace its path.
 * Its entries are reached from the handle, and no link is followed. A name is a latin1 string, one character per byte.
 * Systems other than Linux address entries by path, without this guarantee.
 */
export class Directory {
  readonly stats: Stats;
  readonly #fd: number;
  readonly #path: string;
  readonly #shown: string;
  #closed = false;

  /** Opens a directory whose parents only the host can change. Throws ENOENT, or ENOTDIR or ELOOP for a link. */
  static open(path: string): Directory {
    const name = bytesOf(path);
    return clearly(name, name, () => new Directory(name, name));
  }

  private constructor(path: string, shown: string) {
    this.#fd = openHandle(Buffer.from(path, "latin1"));
    this.#path = LINUX ? `/proc/self/fd/${this.#fd}` : path;
    this.#shown = shown;
    this.stats = fstatSync(this.#fd);
  }

  /** Returns the path of an entry for errors and logs. Truncates a very long one. */
  pathOf(name: string): string {
    return shownAs(`${this.#shown}/${name}`);
  }

  /** Opens a directory in this one. Throws ENOENT, ENOTDIR or ELOOP. */
  directory(name: string): Directory {
    const shown = this.#shown.length < LONGEST_SHOWN ? `${this.#shown}/${name}` : this.#shown;
    return this.#act(() => new Directory(`${this.#path}/${name}`, shown));
  }

  /** Returns an identity of the directory that does not depend on its path. */
  identity(): string {
    const { dev, ino } = fstatSync(this.#fd, { bigint: true });
    return `${dev} ${ino}`;
  }

  /** Returns null if there is no entry with this name. */
  lstat(name: string): Stats | null {
    return this.#act(() => unlessGone(() => lstatSync(this.#at(name)))) ?? null;
  }

  /** Returns where a link leads. */
  readlink(name: string): string {
    return this.#act(() => bytesOf(readlinkSync(this.#at(name), { encoding: "buffer" })));
  }

  /** Yields every entry, read in portions. */
  *entries(): Generator<Dirent> {
    const reader = this.#act(() => opendirSync(this.#path, { encoding: "latin1", bufferSize: AT_ONCE }));
    try {
      for (let entry = reader.readSync(); entry !== null; entry = reader.readSync()) yield entry;
    } finally {
      reader.closeSync();
    }
  }

  /** Adds permissions of the owner to the directory itself. */
  allow(permissions: number): void {
    const mode = this.stats.mode & 0o7777;
    if ((mode & permissions) !== permissions) this.#act(() => chmodSync(this.#path, mode | permissions));
  }

  /** Adds permissions of the owner to a regular file in it. Leaves everything else unchanged. */
  allowFile(name: string, permissions: number): void {
    this.#act(() => {
      const fd = openSync(this.#at(name), O_NOFOLLOW | O_PATH);
      try {
        const { mode } = fstatSync(fd);
        if ((mode & constants.S_IFMT) === constants.S_IFREG && (mode & permissions) !== permissions)
          chmodSync(LINUX ? `/proc/self/fd/${fd}` : this.#at(name), (mode & 0o7777) | permissions);
      } finally {
        closeSync(fd);
      }
    });
  }

  /**
   * Reads the beginning of a regular file; null for anything else, or if it does not exist. Never waits for a pipe.
   * Keep the directory open until the promise settles, as for every method that returns one.
   */
  async read(name: string, most: number): Promise<Buffer | null> {
    const file = await open(this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifNoFile);
    if (file === undefined) return null;
    try {
      const found = await file.stat();
      if (!found.isFile()) return null;
      const buffer = Buffer.alloc(Math.min(found.size, most));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Deletes an entry that is not a directory. Asynchronous, because deleting a large file takes a while. */
  async unlink(name: string): Promise<void> {
    await unlink(this.#at(name)).catch((error: unknown) => this.#throw(error));
  }

  /** Deletes an entry synchronously; for small files. */
  unlinkNow(name: string): void {
    this.#act(() => unlinkSync(this.#at(name)));
  }

  /** Creates a file, which must not exist, with this content and mode. */
  async write(name: string, content: string, mode: number): Promise<void> {
    const file = await open(this.#at(name), O_CREAT | O_EXCL | O_WRONLY, mode);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
    } finally {
      await file.close();
    }
  }

  /** Deletes an empty directory. */
  rmdir(name: string): void {
    this.#act(() => rmdirSync(this.#at(name)));
  }

  /** Creates a directory, readable only by its owner. Leaves an existing one unchanged. */
  mkdir(name: string): void {
    this.#act(() => {
      try {
        mkdirSync(this.#at(name), { mode: 0o700 });
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
      }
    });
  }

  /** Moves an entry to another directory. */
  rename(name: string, to: Directory, newName: string): void {
    this.#act(() => renameSync(this.#at(name), to.#at(newName)));
  }

  close(): void {
    if (!this.#closed) closeSync(this.#fd);
    this.#closed = true;
  }

  /** Returns the path of an entry, for calls that do not follow its last component. */
  #at(name: string): Buffer {
    // The number of a closed handle may already belong to another file.
    if (this.#closed) throw new Error(`the directory ${shownAs(this.#shown)} is closed`);
    return Buffer.from(`${this.#path}/${name}`, "latin1");
  }

  #act<T>(act: () => T): T {
    if (this.#closed) throw new Error(`the directory ${shownAs(this.#shown)} is closed`);
    return clearly(this.#path, this.#shown, act);
  }

  #throw(error: unknown): never {
    return clearly(this.#path, this.#shown, () => {
      throw error;
    });
  }
}

/** Returns the bytes of a name as a latin1 string. */
export function bytesOf(name: string | Buffer): string {
  return Buffer.from(name).toString("latin1");
}

/** Returns the result of the act; undefined if its entry is gone, or became something else. */
export function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    return ifGone(error);
  }
}

/** Throws every error except those that say that something is gone, or became something else. */
function ifGone(error: unknown): undefined {
  if (!["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error))) throw error;
}

/**
 * Also ignores the errors for entries that cannot be opened at once: a socket, a device without a driver, a file with a
 * lease.
 */
function ifNoFile(error: unknown): undefined {
  if (!["ENXIO", "ENODEV", "EAGAIN"].includes(codeOf(error))) ifGone(error);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function openHandle(path: Buffer): number {
  const flags = O_DIRECTORY | O_NOFOLLOW | O_PATH;
  try {
    return openSync(path, flags);
  } catch (error) {
    if (LINUX || codeOf(error) !== "EACCES") throw error;
    chmodSync(path, 0o700);
    return openSync(path, flags);
  }
}

/** Runs the act. Its errors name the readable path instead of the handle. */
function clearly<T>(path: string, shown: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(path, () => shownAs(shown));
    throw error;
  }
}

function shownAs(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
