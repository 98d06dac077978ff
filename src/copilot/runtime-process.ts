import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { messageOf, RuntimeError } from "../core/errors.ts";
import type { SessionSpec } from "../core/ports/agent-runtime.ts";
import type { Runner } from "../core/ports/runner.ts";
import { agentEnvironment, sessionDirectories } from "./agent-environment.ts";
import { findRuntime } from "./runtime-path.ts";

/**
 * Starts the runtime process of one session, confined by the runner. The base directory is made, for its owner alone.
 * Throws `RuntimeError`: worktree_missing, runtime_missing or start_failed.
 */
export async function startRuntimeProcess(
  spec: SessionSpec,
  host: { runner: Runner; env: Readonly<Record<string, string | undefined>> },
): Promise<CopilotClient> {
  if (!existsSync(spec.workingDirectory))
    throw new RuntimeError("worktree_missing", `there is no directory ${spec.workingDirectory}`, {
      consequence: "retry",
      advice: "Prepare the worktree, then open the session again.",
    });
  const { home, tmp } = sessionDirectories(spec.baseDirectory);
  const command = host.runner.confine(
    {
      file: findRuntime(),
      args: [],
      cwd: spec.workingDirectory,
      env: agentEnvironment(host.env, { ...spec, offline: spec.provider !== undefined }),
    },
    { writable: [spec.workingDirectory, spec.baseDirectory] },
  );
  try {
    for (const directory of [spec.baseDirectory, home, tmp])
      await mkdir(directory, { recursive: true, mode: 0o700 });
    const client = new CopilotClient({
      mode: "empty",
      baseDirectory: spec.baseDirectory,
      workingDirectory: command.cwd,
      useLoggedInUser: false,
      logLevel: "error",
      connection: RuntimeConnection.forStdio({
        path: command.file,
        args: command.args,
        env: { ...command.env },
      }),
    });
    await client.start();
    return client;
  } catch (error) {
    throw new RuntimeError("start_failed", `the Copilot runtime did not start: ${messageOf(error)}`, {
      consequence: "retry",
      advice: `Check that ${spec.baseDirectory} is writable and that ${command.file} can be run by this user.`,
      cause: error,
    });
  }
}
