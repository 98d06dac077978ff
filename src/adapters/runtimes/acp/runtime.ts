import { neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { AgentRuntime, AgentSession, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { markOf } from "../process/agent-environment.ts";
import { processesOf } from "../process/process-session.ts";
import type { RuntimeHost } from "../runtime-entry.ts";
import type { AgentProcess } from "./agent-process.ts";
import { ConnectionLost } from "./connection.ts";
import { deleteConversation } from "./conversation.ts";
import { refuseFaultySpec, startFailed } from "./faults.ts";
import { type HostSide, openHostSide, type ProvidedSpec } from "./host-side.ts";
import { installedVersion } from "./installed.ts";
import { greet, openConversation, readyConversation, startAgent } from "./open-agent.ts";
import { portableConversations } from "./portable-conversation.ts";
import type { Preset } from "./preset.ts";
import { SavedConversation } from "./saved-conversation.ts";
import { createAcpSession, createUpdates } from "./session.ts";

/** What an agent that speaks ACP needs of the host. */
export interface AcpHost extends RuntimeHost {
  /** The runtime's name in the configuration. */
  readonly name: string;
  /** The directory with the `node_modules` of the agent's package; empty where it has none. */
  readonly packages: string;
  /** Time limit for the answer to the first request. */
  readonly startMs?: number;
}

/** Creates the runtime over an agent that speaks ACP: one process per open session. */
export function createAcpRuntime(preset: Preset, host: AcpHost): AgentRuntime {
  const { log, clock, runner, removeTree } = host;
  const { startMs = 60_000, openMs = 180_000, crashPoint = neverCrash } = host;

  async function open(spec: ProvidedSpec): Promise<AgentSession> {
    await readyConversation(spec, preset, host);
    const side = await openHostSide(spec, preset, host);
    let process: AgentProcess | undefined;
    try {
      process = await startAgent(spec, preset, { side, host }, createUpdates(spec, clock));
      crashPoint("runtime:started");
      const version = installedVersion(preset, host.packages);
      tellUntried(version);
      const begun = await greet(process, preset, startMs);
      const { id, resumed } = await openConversation(process, spec, preset, {
        side,
        host,
        begun,
        limitMs: openMs,
      });
      log.debug({ session: spec.sessionId, runtime: host.name, resumed }, "session opened");
      const saved = new SavedConversation({ ...spec, id }, preset.conversation, { clock, log });
      side.answering = () => saved.expectAnswer();
      return createAcpSession({
        process,
        side,
        spec,
        preset,
        begun,
        id,
        resumed,
        version,
        saved,
        clock,
        log,
        removeTree,
        processes: processesOf(spec, runner),
      });
    } catch (error) {
      throw await givenUp(spec, { side, process }, error);
    }
  }

  function tellUntried(installed: string | null): void {
    const tried = preset.package?.version ?? null;
    if (installed !== tried)
      log.warn({ runtime: host.name, installed, tried }, "this version of the agent was never tried");
  }

  /** Leaves nothing of a failed start, and returns its error. */
  async function givenUp(
    spec: SessionSpec,
    { side, process }: { readonly side: HostSide; readonly process: AgentProcess | undefined },
    error: unknown,
  ): Promise<Error> {
    const lost = error instanceof ConnectionLost ? process?.lost : null;
    const processes = processesOf(spec, runner);
    const why = processes.memoryEnd() ?? (await lost) ?? null;
    process?.kill();
    await processes.kill();
    process?.connection.lose("was given up");
    await side.close();
    return startFailed(preset, error, why);
  }

  return {
    name: host.name,
    tools: preset.tools,
    modes: ["continuous", "one_shot"],
    async open(spec) {
      refuseFaultySpec(spec, preset, host.name);
      const { provider } = spec;
      if (provider === undefined) throw new Error("there is no provider");
      return open({ ...spec, provider });
    },
    destroy: (session) => deleteConversation(session, removeTree),
    ...(preset.conversation.portable ? { portable: portableConversations(preset, removeTree) } : {}),
    reap: (sessions) => runner.killMarked(sessions.map(markOf)),
  };
}
