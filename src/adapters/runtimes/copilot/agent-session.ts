import type { CopilotClient, CopilotSession, MessageOptions } from "@github/copilot-sdk";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Picture } from "../../../domain/pictures/picture.ts";
import type { AgentSession, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { ModelGateway } from "../gateway/model-gateway.ts";
import {
  type CurrentExchange,
  createProcessSession,
  type SessionProcesses,
} from "../process/process-session.ts";
import { syncConversation } from "./conversation.ts";
import { type Exchange, startExchange } from "./exchange.ts";
import type { GatedCalls } from "./gated-calls.ts";
import { toRuntimeEvent } from "./runtime-events.ts";

interface SessionParts {
  readonly client: CopilotClient;
  readonly session: CopilotSession;
  readonly resumed: boolean;
  readonly version: string | null;
  readonly spec: SessionSpec;
  readonly current: CurrentExchange<Exchange>;
  readonly clock: Clock;
  readonly log: Log;
  /** Counts the model calls; null where only the runtime's report exists. */
  readonly gateway: ModelGateway | null;
  readonly calls: GatedCalls;
  readonly pingEveryMs: number;
  readonly processes: SessionProcesses;
}

/** One awake period of a conversation in an open SDK session. */
export function createAgentSession(parts: SessionParts): AgentSession {
  const { client, session, spec, current, log, gateway } = parts;

  session.on((event) => {
    const translated = toRuntimeEvent(event);
    if (translated?.type === "usage" && gateway !== null) gateway.reported(translated);
    else if (translated) spec.onEvent(translated);
    if (translated?.type === "tool_started") parts.calls.announce(translated.toolCallId, translated);
    current.exchange?.see(event);
  });

  // The client throws at once when its process is gone.
  const ping = async (): Promise<unknown> => client.ping();

  return createProcessSession({
    ...parts,
    begin: (prompt, options, lost) =>
      startExchange(
        {
          clock: parts.clock,
          pingEveryMs: parts.pingEveryMs,
          send: (text) => session.send({ prompt: text, ...attached(options.pictures ?? []) }),
          abort: () => session.abort(),
          ping,
          cancelBackground: () => cancelBackgroundShells(session, log),
          lost,
        },
        prompt,
        options,
      ),
    ended: () => parts.calls.forget(),
    ping,
    async save() {
      await client.rpc.sessions.save({ sessionId: spec.sessionId });
      await syncConversation(spec);
    },
    async endInOrder(isLost) {
      // The kill that follows finds shells by /proc, which not every system has.
      await cancelBackgroundShells(session, log);
      // A lost process does not report its last calls.
      if (!isLost) gateway?.compare();
      await client.stop();
    },
    kill: () => client.forceStop().catch(() => undefined),
    close: () => gateway?.close(),
  });
}

function attached(pictures: readonly Picture[]): Pick<MessageOptions, "attachments"> {
  if (pictures.length === 0) return {};
  return {
    attachments: pictures.map(({ mediaType, bytes }) => ({
      type: "blob",
      mimeType: mediaType,
      data: Buffer.from(bytes).toString("base64"),
    })),
  };
}

/** Ends the background shells of the model; never rejects, since survivors are killed at the stop. */
async function cancelBackgroundShells(session: CopilotSession, log: Log): Promise<void> {
  try {
    const { tasks } = await session.rpc.tasks.list();
    const running = tasks.filter(({ status }) => status === "running");
    await Promise.all(running.map(({ id }) => session.rpc.tasks.cancel({ id })));
  } catch (error) {
    log.debug({ session: session.sessionId, detail: messageOf(error) }, "background shells not cancelled");
  }
}
