import { existsSync } from "node:fs";
import { type FileHandle, lstat, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lockFile } from "../../adapters/store/registry.ts";
import { messageOf, StartupRefused } from "../../domain/kernel/errors.ts";
import { readTrialLine, type TrialLine } from "../../domain/trial/trial-line.ts";
import { stateOf, type TrialState } from "../../domain/trial/trial-state.ts";

/** The file of a trial: one fact a line, in the order in which they became true. */
export interface TrialFile {
  /** All lines so far. */
  readonly lines: readonly TrialLine[];
  /** Resolves when the line would survive a loss of power. */
  add(line: TrialLine): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the file for this process alone, creating it where it is missing. A last line without its end was being written when
 * its process was killed: it is cut off, because it never counted. `directory` is the trial's own, and has its lock. Throws `StartupRefused` for a file that is no trial, and
 * where another process has it.
 */
export async function openTrialFile(path: string, directory: string): Promise<TrialFile> {
  // The lock lies beside the name, so by another name the same file would be written twice.
  if ((await lstat(path).catch(() => null))?.isSymbolicLink() === true)
    throw new StartupRefused([`${path} is a link: name the file itself with --out`]);
  const unlock = lockFile(join(directory, "lock.db"));
  if (unlock === undefined)
    throw new StartupRefused([
      `another flotilla trial writes ${path}: wait for it, or name another file with --out`,
    ]);
  let file: FileHandle | undefined;
  try {
    const isNew = !existsSync(path);
    file = await open(path, "a+", 0o600);
    const { lines, bytes } = readLines(await file.readFile(), path);
    await file.truncate(bytes);
    if (isNew) await syncDirectory(dirname(path));
    return writing(file, [...lines], unlock);
  } catch (error) {
    await file?.close();
    unlock();
    throw error;
  }
}

function writing(file: FileHandle, lines: TrialLine[], unlock: () => void): TrialFile {
  let last: Promise<void> = Promise.resolve();
  const write = async (line: TrialLine): Promise<void> => {
    await file.appendFile(`${JSON.stringify(line)}\n`);
    await file.datasync();
    lines.push(line);
  };
  return {
    lines,
    add(line) {
      // One after the other, also after one that failed: that one rejects for its own caller.
      last = last.catch(() => undefined).then(() => write(line));
      return last;
    },
    async close() {
      await last.catch(() => undefined);
      await file.close();
      unlock();
    },
  };
}

/** Reads a finished trial, or one that another process writes. Throws `StartupRefused` for a file that is no trial. */
export async function readTrialFile(path: string): Promise<TrialState> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new StartupRefused([`${path} cannot be read: ${messageOf(error)}`]);
  }
  const state = stateOf(readLines(bytes, path).lines);
  if (state === null)
    throw new StartupRefused([`${path} holds no trial: name a file that flotilla trial wrote`]);
  return state;
}

/** How the file of a trial begins. */
const FIRST = '{"kind":"trial","version":';

function readLines(
  bytes: Buffer,
  path: string,
): { readonly lines: readonly TrialLine[]; readonly bytes: number } {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const texts = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  const lines = texts.map((text, index) => {
    try {
      return readTrialLine(text);
    } catch (error) {
      throw new StartupRefused([`line ${index + 1} of ${path} ${messageOf(error)}: name another file`]);
    }
  });
  // What has no line yet is cut to nothing, so it must be the beginning of a trial's first line and nobody else's file.
  const torn = bytes.subarray(0, FIRST.length).toString("latin1");
  if (lines.length > 0 ? lines[0]?.kind !== "trial" : !FIRST.startsWith(torn))
    throw new StartupRefused([`${path} holds no trial: name another file with --out`]);
  return { lines, bytes: end };
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
