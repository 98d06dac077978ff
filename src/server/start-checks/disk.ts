import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { diskLimits } from "../../domain/breakers/disk.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Finding, StartFindings } from "./finding.ts";

/** `f_type` of statfs(2) for tmpfs. */
const TMPFS = 0x01021994;

const MIB = 1024 * 1024;
/** A new installation needs this much for a growing database, a mirror and some worktrees. */
const LEAST_FREE = 512 * MIB;

/** `circuit_breakers.disk.min_free_gib` if the configuration does not set it. */
const { minFreeBytes: DEFAULT_FLOOR } = diskLimits.schema.parse({});

/** The fields of statfs(2) that matter here. */
export interface FileSystem {
  readonly type: number;
  readonly bsize: number;
  readonly bavail: number;
}

/**
 * Checks that the disk of the data directory keeps its data and has room for twice the minimum; less would soon run out.
 */
export function checkDisk(
  {
    dataDir,
    minFreeBytes = DEFAULT_FLOOR,
  }: { readonly dataDir: string; readonly minFreeBytes?: number | undefined },
  read: (path: string) => FileSystem = (path) => statfsSync(path),
): StartFindings {
  const { type, bsize, bavail } = read(existing(dataDir));
  const free = bavail * bsize;
  const full: Finding = {
    about: dataDir,
    what: `has ${Math.floor(free / MIB)} MiB free, less than ${LEAST_FREE / MIB}`,
    next: "Free disk space, or set FLOTILLA_DATA_DIR to a larger disk",
  };
  const passing: Finding = {
    about: dataDir,
    what: "lies in memory (tmpfs): all of it is gone when the machine restarts",
    next: "Set FLOTILLA_DATA_DIR to a directory on a disk",
  };
  const scarce: Finding = {
    about: dataDir,
    what: `has ${Math.floor(free / MIB)} MiB free: agents write there, and with less than circuit_breakers.disk.min_free_gib none starts`,
    next: "Give it a disk of its own, or a quota, with some GiB for each agent; see `What grows on the disk` in docs/operations.md",
  };
  return {
    faults: free >= LEAST_FREE ? [] : [full],
    advice: [
      ...(type === TMPFS ? [passing] : []),
      ...(free >= LEAST_FREE && free < 2 * minFreeBytes ? [scarce] : []),
    ],
  };
}

/** Checks that the data directory can be made, or written to where it exists. Leaves nothing behind. */
export function checkWritable(dataDir: string): readonly Finding[] {
  const made: string[] = [];
  try {
    const missing = missingOf(dataDir);
    if (missing.length === 0) accessSync(dataDir, constants.W_OK | constants.X_OK);
    // One by one: Node's own recursion never ends below /proc.
    for (const path of missing) {
      mkdirSync(path, { mode: 0o700 });
      made.push(path);
    }
    return [];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
    return [
      {
        about: dataDir,
        what: `${existsSync(dataDir) ? "cannot be written to" : "cannot be made"} by this user (${code})`,
        next: "Set FLOTILLA_DATA_DIR to a directory that this user may write to",
      },
    ];
  } finally {
    for (const path of made.toReversed()) removeIfEmpty(path);
  }
}

/** Returns the directories that do not exist yet, the outermost first. */
function missingOf(path: string): readonly string[] {
  return existsSync(path) ? [] : [...missingOf(dirname(path)), path];
}

/** Another process may have begun to use it. */
function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It stays.
  }
}

/** Returns the directory, or its nearest existing parent. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}
