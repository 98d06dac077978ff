import { neverCrash } from "../../../domain/kernel/crash-points.ts";
import { RuntimeError } from "../../../domain/kernel/errors.ts";
import type { AgentRuntime, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { ModelGateway } from "../gateway/model-gateway.ts";
import { SentMessages } from "../gateway/sent-messages.ts";
import { markOf } from "../process/agent-environment.ts";
import { type CurrentExchange, processesOf } from "../process/process-session.ts";
import type { RuntimeHost } from "../runtime-entry.ts";
import { createAgentSession } from "./agent-session.ts";
import { builtinTools } from "./builtin-tools.ts";
import { deleteConversation, openConversation } from "./conversation.ts";
import type { Exchange } from "./exchange.ts";
import { GatedCalls } from "./gated-calls.ts";
import { portableConversations } from "./portable-conversation.ts";
import { startRuntimeProcess } from "./runtime-process.ts";
import { runtimeVersion } from "./runtime-version.ts";
import { sessionConfig } from "./session-config.ts";

/** Creates the runtime over the Copilot SDK: one process per open session. */
export function createCopilotRuntime(
  host: RuntimeHost & { readonly pingEveryMs?: number; readonly startMs?: number },
): AgentRuntime {
  const { log, clock, pingEveryMs = 2000, startMs = 60_000, openMs = 180_000 } = host;
  const { crashPoint = neverCrash, removeTree } = host;
  return {
    name: "copilot",
    tools: builtinTools,
    modes: ["continuous", "one_shot"],
    async open(spec) {
      refuseFaultySpec(spec);
      const current: CurrentExchange<Exchange> = { exchange: undefined };
      const calls = new GatedCalls(spec, {
        // Sent before the denial, the abort saves a model call. Not awaited inside the hook, because the
        // runtime answers it only after the hook.
        limit: () => current.exchange?.abort("aborted"),
        fault: (tool, detail) =>
          log.error({ session: spec.sessionId, tool, detail }, "tool call denied: the gate failed"),
      });
      const config = sessionConfig(spec, { calls, terminal: () => current.exchange?.terminal() });
      const processes = processesOf(spec, host.runner);
      const gateway = spec.provider
        ? new ModelGateway(
            { ...spec, provider: spec.provider },
            {
              log,
              clock,
              refused: host.refusedModels,
              messages: await SentMessages.open(spec.sentFile, log),
            },
          )
        : null;
      const client = await startRuntimeProcess(spec, { ...host, startMs, gateway }).catch(
        async (error: unknown) => {
          const why = processes.memoryEnd();
          await processes.kill();
          throw why === null ? error : endedAtStart(why, error);
        },
      );
      crashPoint("runtime:started");
      const watch = { clock, pingEveryMs, limitMs: openMs };
      try {
        const { session, resumed } = await openConversation(client, spec, config, { watch, removeTree });
        log.debug({ session: spec.sessionId, resumed }, "session opened");
        return createAgentSession({
          client,
          session,
          resumed,
          version: runtimeVersion(),
          spec,
          current,
          clock,
          log,
          gateway,
          calls,
          pingEveryMs,
          processes,
        });
      } catch (error) {
        const why = processes.memoryEnd();
        await client.forceStop().catch(() => undefined);
        await processes.kill();
        throw why === null ? error : endedAtStart(why, error);
      }
    },
    destroy: (session) => deleteConversation(session, removeTree),
    portable: portableConversations(removeTree),
    reap: (sessions) => host.runner.killMarked(sessions.map(markOf)),
  };
}

/** Creates the error for a process that the system ended before its conversation was open. */
function endedAtStart(why: string, cause: unknown): RuntimeError {
  return new RuntimeError("start_failed", `the agent's process died as it started: ${why}`, {
    consequence: "retry",
    cause,
  });
}

/** Checks what the runtime would report only at the first turn, and unclearly. */
function refuseFaultySpec(spec: SessionSpec): void {
  const taken = spec.tools.map(({ name }) => name).filter((name) => builtinTools.has(name));
  if (taken.length > 0)
    throw new RuntimeError("tool_name_taken", `the runtime has tools of its own named ${taken.join(", ")}`, {
      consequence: "stop",
      advice: "Rename these tools.",
    });
  if (!spec.provider && !spec.accountKey)
    throw new RuntimeError("no_credential", "there is neither a model provider nor a GitHub token", {
      consequence: "tell",
      advice: "Give a provider with its key, or a GitHub token, in the configuration.",
    });
}
