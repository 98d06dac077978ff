import { ChildProcess } from "node:child_process";
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
import { keptErrors } from "../process/standard-error.ts";
import { stateDirectory } from "./conversation.ts";
import { GatewayRequests } from "./gateway-requests.ts";
import { findRuntime, packageOf } from "./runtime-path.ts";

/**
 * Starts the runtime process of one session, confined by the runner; `hosts` are those that it may reach, `registries` says whether it may
 * read from the operator's.
 * Creates the base directory with access for its owner only. Model calls to a provider come back to us.
 * Throws `RuntimeError`: worktree_missing, runtime_missing or start_failed (also after `startMs` without an
 * answer), and the runner's errors.
 */
export async function startRuntimeProcess(
  spec: SessionSpec,
  host: {
    runner: Runner;
    env: Readonly<Record<string, string | undefined>>;
    hosts: readonly string[];
    registries: boolean;
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
      // Offline, it requests nothing from GitHub.
      env: agentEnvironment(host.env, spec, spec.provider === undefined ? {} : { COPILOT_OFFLINE: "true" }),
    },
    {
      writable: [spec.workingDirectory, spec.baseDirectory],
      readable: [packageOf(file), ...(spec.skills === undefined ? [] : [spec.skills])],
      hosts: host.hosts,
      registries: host.registries,
      ...(spec.services === undefined ? {} : { services: spec.services }),
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
  const boundWhileItRuns = boundErrors(client);
  try {
    await withTimeout(host.clock, host.startMs, client.start(), () => {
      throw new Error(`it did not answer within ${host.startMs / 1000} s`);
    });
    boundWhileItRuns();
    return client;
  } catch (error) {
    // Not awaited: it waits for an answer that such a process may never give.
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

/** The part of the SDK's request writer that is used here. */
interface MessageWriter {
  suppressWriteErrors: boolean;
}

/**
 * Keeps a request that cannot be written from ending our process. When a runtime dies, the JSON-RPC library
 * rejects a pending request twice, once where nobody can handle it (vscode-jsonrpc before 9.0.3, which the
 * SDK cannot load). Write errors are therefore suppressed from the start, as the SDK does after the process's
 * exit: the broken pipe closes the connection, which rejects pending requests. A request between exit and
 * close is never answered, so callers need a time limit or a ping.
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

/**
 * Bounds what the SDK keeps of the runtime's standard error, to which any process inside can write without end. Returns
 * what takes the place of its own listener once the runtime runs: that one copies each line to Flotilla's own.
 */
function boundErrors(client: CopilotClient): () => void {
  let kept = "";
  Object.defineProperty(client, "stderrBuffer", {
    get: () => kept,
    set(next: string) {
      kept = keptErrors("", next);
    },
  });
  return () => {
    const child: unknown = Reflect.get(client, "cliProcess");
    if (!(child instanceof ChildProcess)) return;
    child.stderr?.removeAllListeners("data");
    child.stderr?.on("data", (chunk: Buffer) => {
      kept = keptErrors(kept, chunk.toString("utf8"));
    });
  };
}
