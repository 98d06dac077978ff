import { existsSync } from "node:fs";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { messageOf, RuntimeError } from "../../../domain/kernel/errors.ts";
import type { SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Runner } from "../../../domain/ports/runner.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import type { ModelGateway } from "../gateway/model-gateway.ts";
import { agentEnvironment, sessionDirectories } from "../process/agent-environment.ts";
import { makeOwnDirectory } from "../process/agent-files.ts";
import { stateDirectory } from "./conversation.ts";
import { GatewayRequests } from "./gateway-requests.ts";
import { findRuntime, packageOf } from "./runtime-path.ts";

/**
 * Starts the runtime process of one session, confined by the runner; `hosts` are those that it may reach. The base
 * directory is made, for its owner alone. Model calls to a provider come back to us. Throws `RuntimeError`:
 * worktree_missing, runtime_missing or start_failed (after `startMs` without an answer too), and what the runner throws.
 */
export async function startRuntimeProcess(
  spec: SessionSpec,
  host: {
    runner: Runner;
    env: Readonly<Record<string, string | undefined>>;
    hosts: readonly string[];
    clock: Clock;
    startMs: number;
    /** Null without a provider: the runtime then calls GitHub Copilot itself. */
    gateway: ModelGateway | null;
  },
): Promise<CopilotClient> {
  if (!existsSync(spec.workingDirectory))
    throw new RuntimeError("worktree_missing", `there is no directory ${spec.workingDirectory}`, {
      consequence: "retry",
      advice: "Prepare the worktree, then open the session again.",
    });
  const file = findRuntime();
  const { home, tmp } = sessionDirectories(spec.baseDirectory);
  try {
    for (const directory of [spec.baseDirectory, home, tmp, stateDirectory(spec)])
      await makeOwnDirectory(directory);
  } catch (error) {
    throw startFailed(spec, file, error);
  }
  const command = await host.runner.confine(
    {
      file,
      args: [],
      cwd: spec.workingDirectory,
      // Offline, it looks nothing up at GitHub.
      env: agentEnvironment(host.env, spec, spec.provider === undefined ? {} : { COPILOT_OFFLINE: "true" }),
    },
    {
      writable: [spec.workingDirectory, spec.baseDirectory],
      readable: [packageOf(file)],
      hosts: host.hosts,
    },
  );
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
    ...(host.gateway === null ? {} : { requestHandler: new GatewayRequests(host.gateway) }),
  });
  forgiveLostWrites(client);
  try {
    await withTimeout(host.clock, host.startMs, client.start(), () => {
      throw new Error(`it did not answer within ${host.startMs / 1000} s`);
    });
    return client;
  } catch (error) {
    // Not waited for: it waits for an answer itself, which such a process may never give.
    client.forceStop().catch(() => undefined);
    throw startFailed(spec, command.file, error);
  }
}

function startFailed({ baseDirectory }: SessionSpec, file: string, error: unknown): RuntimeError {
  return new RuntimeError("start_failed", `the Copilot runtime did not start: ${messageOf(error)}`, {
    consequence: "retry",
    advice: `Check that ${baseDirectory} is writable and that ${file} can be run by this user.`,
    cause: error,
  });
}

/** What the SDK writes its requests with, as far as it is known here. */
interface MessageWriter {
  suppressWriteErrors: boolean;
}

/**
 * Keeps a request that cannot be written from ending our process. A runtime that dies is noticed a moment later; a
 * request of that moment is rejected by the JSON-RPC library twice, once where nobody can handle it (vscode-jsonrpc
 * before 9.0.3, which the SDK cannot load). Errors of writing are suppressed from the beginning, as the SDK does by
 * itself from the process's exit on: the broken pipe closes the connection, and that rejects what was asked. What is asked
 * between that exit and the close is never answered, so whoever asks has a limit or a ping beside it.
 */
function forgiveLostWrites(client: CopilotClient): void {
  let writer: MessageWriter | null = null;
  Object.defineProperty(client, "messageWriter", {
    get: () => writer,
    set(next: MessageWriter | null) {
      if (next !== null) next.suppressWriteErrors = true;
      writer = next;
    },
  });
}
