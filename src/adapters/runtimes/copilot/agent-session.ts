import type { CopilotClient, CopilotSession, MessageOptions } from "@github/copilot-sdk";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Picture } from "../../../domain/pictures/picture.ts";
import type { AgentSession, ExchangeEnd, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import type { ModelGateway } from "../gateway/model-gateway.ts";
import { syncConversation } from "./conversation.ts";
import { type Exchange, startExchange } from "./exchange.ts";
import type { GatedCalls } from "./gated-calls.ts";
import { toRuntimeEvent } from "./runtime-events.ts";

/** How long a process may take for an orderly end before it is killed. */
const stopMs = 10_000;
/** Time limit for the answer to a probe. */
const answerMs = 15_000;

/** The current exchange, shared with the callbacks that the SDK got before the session existed. */
export interface CurrentExchange {
  exchange: Exchange | undefined;
}

interface SessionParts {
  readonly client: CopilotClient;
  readonly session: CopilotSession;
  readonly resumed: boolean;
  readonly spec: SessionSpec;
  readonly current: CurrentExchange;
  readonly clock: Clock;
  readonly log: Log;
  /** Counts the model calls; null where only the runtime's report exists. */
  readonly gateway: ModelGateway | null;
  readonly calls: GatedCalls;
  readonly pingEveryMs: number;
  /** Kills the session's remaining processes. */
  readonly killProcesses: () => Promise<unknown>;
  /** Why the system ended the session's processes for their memory; null where it did not. */
  readonly memoryEnd: () => string | null;
  readonly countProcesses: () => Promise<number>;
}

/** One awake period of a conversation in an open SDK session. */
export function createAgentSession(parts: SessionParts): AgentSession {
  const { client, session, spec, current, clock, log, gateway } = parts;
  const { sessionId } = spec;
  let unusable: string | undefined;
  let lost = false;
  let stopping: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  session.on((event) => {
    const translated = toRuntimeEvent(event);
    if (translated?.type === "usage" && gateway !== null) gateway.reported(translated);
    else if (translated) spec.onEvent(translated);
    if (translated?.type === "tool_started") parts.calls.announce(translated.toolCallId, translated);
    current.exchange?.see(event);
  });

  async function run(
    prompt: string,
    deadline: Parameters<AgentSession["exchange"]>[1],
  ): Promise<ExchangeEnd> {
    if (unusable !== undefined) return { kind: "runtime_died", detail: unusable };
    current.exchange = startExchange(
      {
        clock,
        pingEveryMs: parts.pingEveryMs,
        send: (text) => session.send({ prompt: text, ...attached(deadline.pictures ?? []) }),
        abort: () => session.abort(),
        ping: () => client.ping(),
        cancelBackground: () => cancelBackgroundShells(session, log),
        async lost() {
          lost = true;
          const why = parts.memoryEnd();
          unusable = "the runtime process was lost; open the session again";
          log.warn({ session: sessionId }, "runtime process lost");
          // The shells of a dead runtime would continue to work in the worktree.
          await parts.killProcesses();
          await gateway?.close();
          return why;
        },
      },
      prompt,
      deadline,
    );
    const end = await current.exchange.ended;
    current.exchange = undefined;
    parts.calls.forget();
    return end;
  }

  async function stop(): Promise<void> {
    unusable ??= "the session was stopped";
    if (!(await within(clock, stopMs, stopInOrder()))) {
      log.warn({ session: sessionId }, "runtime process killed: it did not stop in time");
      await client.forceStop().catch(() => undefined);
    }
    await parts.killProcesses();
    await gateway?.close();
    current.exchange?.close();
  }

  async function stopInOrder(): Promise<void> {
    current.exchange?.abort("aborted");
    await current.exchange?.ended;
    // The kill below finds shells by /proc, which not every system has.
    await cancelBackgroundShells(session, log);
    // A lost process does not report its last calls.
    if (!lost) gateway?.compare();
    await client.stop();
  }

  async function probe(): ReturnType<AgentSession["probe"]> {
    // The client throws at once when its process is gone.
    const ping = (async () => void (await client.ping()))();
    const [answered, processes] = await Promise.all([
      within(clock, answerMs, ping, { onFailure: false }),
      parts.countProcesses(),
    ]);
    return { process: answered || processes > 0, answered };
  }

  async function save(): Promise<boolean> {
    const saved = (async () => {
      await client.rpc.sessions.save({ sessionId });
      await syncConversation(spec);
    })();
    let fault: unknown;
    const kept = saved.catch((error: unknown) => {
      fault = error;
      throw error;
    });
    if (await within(clock, answerMs, kept, { onFailure: false })) return true;
    const { answered } = await probe();
    // A living session writes its file itself; requesting it at each turn would repeat that without end.
    if (answered) log.warn({ session: sessionId, error: fault }, "session not saved at once");
    return answered;
  }

  return {
    resumed: parts.resumed,
    exchange(prompt, deadline) {
      const end = queue.then(() => run(prompt, deadline));
      queue = end;
      return end;
    },
    async interrupt() {
      current.exchange?.abort("aborted");
      await current.exchange?.ended;
    },
    probe,
    save,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
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

/**
 * Returns whether the work ended within `ms`; its failure counts as an end, unless `onFailure` says
 * otherwise.
 */
function within(
  clock: Clock,
  ms: number,
  work: Promise<void>,
  { onFailure = true }: { onFailure?: boolean } = {},
): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => onFailure,
  );
  return withTimeout(clock, ms, ended, () => false);
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
