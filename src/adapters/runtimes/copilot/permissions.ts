import type { PermissionRequest, PermissionRequestResult } from "@github/copilot-sdk";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { readRefusal, writeRefusal } from "../process/agent-paths.ts";

/**
 * Decides on the runtime's permission requests. This guides the model; confining shells is the runner's task.
 */
export function decidePermission(
  request: PermissionRequest,
  spec: Pick<SessionSpec, "workingDirectory" | "baseDirectory" | "skills" | "capabilities" | "tools">,
): PermissionRequestResult {
  if ("requestSandboxBypass" in request && request.requestSandboxBypass)
    return reject("The sandbox is not left.");
  switch (request.kind) {
    case "read":
      return decided(readRefusal(request.path, spec));
    case "write":
      return decided(writeRefusal(request.fileName, spec));
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

function decided(refusal: string | null): PermissionRequestResult {
  return refusal === null ? { kind: "approve-once" } : reject(refusal);
}

function reject(feedback: string): PermissionRequestResult {
  return { kind: "reject", feedback };
}
