import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "./finding.ts";

/** Paths in the data directory that hold secrets or work, beside the database; only existing ones are checked. */
const FILES = ["marker-secret", "dashboard-token", "github-spent"];
const DIRECTORIES = [
  "archives",
  "evaluations",
  "git",
  "lost",
  "mirrors",
  "sent",
  "sessions",
  "setups",
  "skills",
  "worktrees",
];

/** A line of .env that sets a variable whose name suggests a secret. */
const SECRET_LINE = /^\s*(?:export\s+)?\w*(?:KEY|SECRET|TOKEN|PASSWORD)\w*\s*=\s*\S/m;

/**
 * Returns every path of ours that other users of this machine could read or change. `keyPath` is undefined if the key
 * is not a file.
 */
export function openPaths(places: {
  readonly dataDir: string;
  /** Absolute. */
  readonly databaseFiles: readonly string[];
  readonly keyPath: string | undefined;
  readonly envPath: string;
}): readonly Finding[] {
  const { dataDir, databaseFiles, keyPath, envPath } = places;
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory()) {
    const next = "Move it away, or set FLOTILLA_DATA_DIR";
    return [{ about: dataDir, what: "cannot be used as the data directory: it is a file", next }];
  }
  const withSecrets = existsSync(envPath) && SECRET_LINE.test(readFileSync(envPath, "utf8"));
  return [
    ...faultOf(dataDir, "700", "anybody on this machine could read or change what is kept there"),
    ...DIRECTORIES.flatMap((name) => faultOf(join(dataDir, name), "700", "others could reach agents' work")),
    ...[...databaseFiles, ...FILES.map((name) => join(dataDir, name))].flatMap((path) =>
      faultOf(path, "600", "others could read what it holds"),
    ),
    ...(keyPath === undefined ? [] : faultOf(keyPath, "600", "whoever reads the key is the App")),
    ...(withSecrets ? faultOf(envPath, "600", "others could read the secrets in it") : []),
  ];
}

function faultOf(path: string, mode: "600" | "700", danger: string): Finding[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (mode === "600" && !found.isFile())
    return [{ about: path, what: "is not a file", next: "Move it away, or set FLOTILLA_DATA_DIR" }];
  const us = process.getuid?.() ?? found.uid;
  // A path that root owns and only root can change is as safe as ours; its mode still says who can read it.
  if (found.uid !== us && found.uid !== 0) {
    return [
      {
        about: path,
        what: `belongs to the user ${found.uid} and flotilla runs as ${us}: ${danger}`,
        next: `Give it to that user: chown ${us} ${path}`,
      },
    ];
  }
  if ((found.mode & 0o077) === 0) return [];
  return [
    {
      about: path,
      what: `is open to others (mode ${(found.mode & 0o777).toString(8).padStart(4, "0")}): ${danger}`,
      next: `Close it: chmod ${mode} ${path}`,
    },
  ];
}
