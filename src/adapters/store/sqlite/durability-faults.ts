import { randomUUID } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { StartupRefused } from "../../../domain/kernel/errors.ts";
import type { LocatedFault } from "../database.ts";
import { openDatabase } from "./database.ts";

/** `f_type` of statfs(2) for file systems whose locks or syncs go over a network or through another program. */
const REMOTE: Readonly<Record<number, string>> = {
  0x00006969: "NFS",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x0000517b: "SMB",
  0x65735546: "FUSE",
  0x01021997: "9P",
  0x00c36400: "Ceph",
  0x5346414f: "AFS",
  0x73757245: "Coda",
  0x0bd00bd0: "Lustre",
  0x47504653: "GPFS",
  0x01161970: "GFS2",
  0x7461636f: "OCFS2",
};

/** Returns why a database in this directory would not keep every acknowledged commit. */
export function durabilityFaults(
  dir: string,
  typeOf: (path: string) => number = (path) => statfsSync(path).type,
): readonly LocatedFault[] {
  // Some platforms report the number as signed.
  const remote = REMOTE[typeOf(existing(dir)) >>> 0];
  const far: LocatedFault = {
    about: dir,
    what: `lies on ${remote}, where SQLite's locks and syncs do not hold: the database could be lost`,
    next: "Put it on a disk of this machine, by FLOTILLA_DATA_DIR",
  };
  const tried = tryDurable(dir).map((fault) => ({
    about: "database",
    what: `the data directory does not keep what is written: ${fault}`,
    next: "Make the directory writable, or choose another by FLOTILLA_DATA_DIR; otherwise webhooks could be lost",
  }));
  return remote === undefined ? tried : [far, ...tried];
}

/**
 * Creates a database like ours in the directory, writes to it, reads its settings back, and removes it.
 * Returns the faults, each with what to do. Works beside a serving process; does not create a missing
 * directory.
 */
function tryDurable(dir: string): readonly string[] {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const path = join(dir, `try-${randomUUID()}.db`);
  try {
    openDatabase(path).close();
    return [];
  } catch (error) {
    if (error instanceof StartupRefused) return error.faults;
    throw error;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  }
}

/** Returns the directory, or its nearest existing parent. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}
