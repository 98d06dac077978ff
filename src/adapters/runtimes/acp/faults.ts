import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { messageOf, OutsideError, RuntimeError } from "../../../domain/kernel/errors.ts";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { dialectOf } from "../gateway/dialects/dialect-of.ts";
import { AgentFault, RpcError } from "./connection.ts";
import type { Preset } from "./preset.ts";

/** Checks what an agent would show only later, and unclearly. Throws `RuntimeError`. */
export function refuseFaultySpec(spec: SessionSpec, preset: Preset, name: string): void {
  const taken = spec.tools.map((tool) => tool.name).filter((one) => preset.tools.has(one));
  if (taken.length > 0)
    throw new RuntimeError(
      "tool_name_taken",
      `${preset.title} has tools of its own named ${taken.join(", ")}`,
      {
        consequence: "stop",
        advice: "Rename these tools.",
      },
    );
  if (spec.provider === undefined)
    throw new RuntimeError("no_credential", `there is no model provider for ${preset.title}`, {
      consequence: "tell",
      advice: `Name its models in \`runtimes.${name}.models\`, each at one of the \`providers\`.`,
    });
  const { api } = dialectOf(spec.provider);
  if (api !== preset.api)
    throw new RuntimeError(
      "wrong_api",
      `${preset.title} uses the API ${preset.api}, but its provider offers ${api}`,
      {
        consequence: "tell",
        advice: `Name models of another provider in \`runtimes.${name}.models\`.`,
      },
    );
  if (preset.gate === "none" && !spec.capabilities.includes("shell"))
    throw new RuntimeError("ungated", `${preset.title} does not ask before its own tools run`, {
      consequence: "tell",
      advice: "Give the role a shell, or another runtime.",
    });
  if (!existsSync(spec.workingDirectory))
    throw new RuntimeError("worktree_missing", `there is no directory ${spec.workingDirectory}`, {
      consequence: "retry",
      advice: "Prepare the worktree, then open the session again.",
    });
}

/** Checks that the program is there. Throws `RuntimeError` runtime_missing, whose words stand on the issue that waits for it. */
export function refuseMissing(
  { file, args: [first = ""] }: { readonly file: string; readonly args: readonly string[] },
  preset: Preset,
): void {
  if (![file, first].some((path) => isAbsolute(path) && !existsSync(path))) return;
  const [what, cure] =
    preset.package === null
      ? ["there is no program at its `command`", `Install it, or correct \`runtimes.${preset.name}.command\``]
      : ["it is not installed", `Run \`flotilla runtimes add ${preset.name}\``];
  throw new RuntimeError(
    "runtime_missing",
    `${preset.title} cannot work, because ${what}. ${cure} where Flotilla runs`,
    {
      consequence: "tell",
      advice: `${cure}.`,
    },
  );
}

/**
 * Creates the error for an agent that could not be started, or opened no conversation. `why` tells for what the system
 * ended it, as the rest of a sentence.
 */
export function startFailed(preset: Preset, error: unknown, why: string | null): OutsideError {
  if (error instanceof OutsideError && why === null) return error;
  const happened = why === null ? sentence(error) : `it ${why}`;
  return new RuntimeError("start_failed", `${preset.title} did not start: ${happened}`, {
    consequence: "retry",
    advice: `Flotilla tries again. If it fails each time, run \`flotilla runtimes try ${preset.name}\`.`,
    cause: error,
  });
}

function sentence(error: unknown): string {
  if (error instanceof AgentFault) return `it ${error.message}`;
  return error instanceof RpcError ? `it answered with an error: ${error.message}` : messageOf(error);
}

export function damaged(
  { sessionId, baseDirectory }: Pick<SessionSpec, "sessionId" | "baseDirectory">,
  detail: string,
  cause: unknown,
): RuntimeError {
  return new RuntimeError("session_damaged", `conversation ${sessionId} cannot be resumed: ${detail}`, {
    consequence: "stop",
    advice: `Start a new session with a hand-off; the agent's files in ${baseDirectory} are kept for a look.`,
    cause,
  });
}
