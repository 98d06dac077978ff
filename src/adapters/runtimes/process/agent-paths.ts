import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { sessionDirectories } from "./agent-environment.ts";

type Places = Pick<SessionSpec, "workingDirectory" | "baseDirectory" | "skills">;

/**
 * Returns why a tool may not read the file, by its real path: it may in the worktree, in the session's own directory and
 * in that of its skills. Null where it may.
 */
export function readRefusal(
  path: string,
  { workingDirectory, baseDirectory, skills }: Places,
): string | null {
  const roots = [workingDirectory, baseDirectory, ...(skills === undefined ? [] : [skills])];
  return isInside(path, workingDirectory, roots) ? null : `Only files in ${workingDirectory} may be read.`;
}

/**
 * Returns why a tool may not write the file, by its real path: it may in the worktree, and in the agent's home and
 * temporary directory. Null where it may.
 */
export function writeRefusal(path: string, { workingDirectory, baseDirectory }: Places): string | null {
  const { home, tmp } = sessionDirectories(baseDirectory);
  if (isInside(path, workingDirectory, [join(workingDirectory, ".git")]))
    return "The git data is kept by the host: use the tools commit and restore_files.";
  return isInside(path, workingDirectory, [workingDirectory, home, tmp])
    ? null
    : `Only files in ${workingDirectory} may be changed.`;
}

function isInside(path: string, workingDirectory: string, roots: readonly string[]): boolean {
  const real = realPath(resolve(workingDirectory, path));
  return (
    real !== undefined &&
    roots.some((root) => {
      const realRoot = realPath(root);
      return realRoot !== undefined && (real === realRoot || real.startsWith(realRoot + sep));
    })
  );
}

/**
 * Returns the path without links; a missing name is kept below its nearest existing parent. Undefined for a
 * dangling link: writing through it would create a file at an unchecked path.
 */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || exists(path)) return undefined;
    const real = realPath(parent);
    return real === undefined ? undefined : join(real, basename(path));
  }
}

/** Returns whether anything has this name, including a dangling link or something unreadable. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
