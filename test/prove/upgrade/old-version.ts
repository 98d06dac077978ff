import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The last commit whose PostgreSQL schema has one migration, and that knows no drain. */
export const OLD = "df630f34";

/** The program of this version. */
export const NEW_MAIN = join(ROOT, "src/main.ts");

/** Returns whether the commit is here. A checkout without its history, as CI may have, lacks it. */
export function hasOld(): boolean {
  return spawnSync("git", ["cat-file", "-e", `${OLD}^{commit}`], { cwd: ROOT, stdio: "ignore" }).status === 0;
}

/** Puts that version below `directory`, with the packages of this one, and returns its program. */
export function checkOutOld(directory: string): string {
  const old = join(directory, "old");
  mkdirSync(old);
  const source = execFileSync("git", ["archive", OLD], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "-C", old], { input: source });
  symlinkSync(join(ROOT, "node_modules"), join(old, "node_modules"));
  return join(old, "src/main.ts");
}
