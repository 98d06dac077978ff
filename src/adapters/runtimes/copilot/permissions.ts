import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { PermissionRequest, PermissionRequestResult } from "@github/copilot-sdk";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { sessionDirectories } from "../process/agent-environment.ts";

/**
 * Decides what the runtime asks before it acts. Files are allowed by their real path: reading in the worktree and in the
 * session's own directory, writing in the worktree and in the agent's home and temporary directory. This guides a model
 * that strays; it does not contain a shell, which is the runner's work.
 */
export function decidePermission(
  request: PermissionRequest,
  spec: Pick<SessionSpec, "workingDirectory" | "baseDirectory" | "capabilities" | "tools">,
): PermissionRequestResult {
  const { home, tmp } = sessionDirectories(spec.baseDirectory);
  if ("requestSandboxBypass" in request && request.requestSandboxBypass)
    return reject("The sandbox is not left.");
  switch (request.kind) {
    case "read":
      return isInside(request.path, spec.workingDirectory, [spec.workingDirectory, spec.baseDirectory])
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
 * The path without links; what does not exist yet keeps its name under its nearest existing parent.
 * Undefined for what leads nowhere: writing through a dangling link would make a file at a place that nobody checked.
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

/** Whether there is anything by this name, a dangling link or something unreadable too. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
