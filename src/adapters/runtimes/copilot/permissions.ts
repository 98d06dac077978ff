import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { PermissionRequest, PermissionRequestResult } from "@github/copilot-sdk";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { sessionDirectories } from "../process/agent-environment.ts";

/**
 * Decides on the runtime's permission requests. Checks files by their real path: reading is allowed in the
 * worktree, in the session's own directory and in that of its skills, writing in the worktree and in the agent's home and temporary
 * directory. This guides the model; confining shells is the runner's task.
 */
export function decidePermission(
  request: PermissionRequest,
  spec: Pick<SessionSpec, "workingDirectory" | "baseDirectory" | "skills" | "capabilities" | "tools">,
): PermissionRequestResult {
  const { home, tmp } = sessionDirectories(spec.baseDirectory);
  if ("requestSandboxBypass" in request && request.requestSandboxBypass)
    return reject("The sandbox is not left.");
  switch (request.kind) {
    case "read":
      return isInside(request.path, spec.workingDirectory, [
        spec.workingDirectory,
        spec.baseDirectory,
        ...(spec.skills === undefined ? [] : [spec.skills]),
      ])
        ? { kind: "approve-once" }
        : reject(`Only files in ${spec.workingDirectory} may be read.`);
    case "write":
      if (isInside(request.fileName, spec.workingDirectory, [join(spec.workingDirectory, ".git")]))
        return reject("The git data is kept by the host: use the tools commit and restore_files.");
      return isInside(request.fileName, spec.workingDirectory, [spec.workingDirectory, home, tmp])
        ? { kind: "approve-once" }
        : reject(`Only files in ${spec.workingDirectory} may be changed.`);
    case "shell":
      return spec.capabilities.includes("shell")
        ? { kind: "approve-once" }
        : reject("This role has no shell.");
    case "custom-tool":
      return spec.tools.some(({ name }) => name === request.toolName)
        ? { kind: "approve-once" }
        : reject(`There is no tool ${request.toolName} for this role.`);
    default:
      return reject(`This is not allowed here (${request.kind}).`);
  }
}

function reject(feedback: string): PermissionRequestResult {
  return { kind: "reject", feedback };
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
