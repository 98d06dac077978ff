import type { CopilotClient, CopilotSession } from "@github/copilot-sdk";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { AgentSession, ExchangeEnd, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import type { ModelGateway } from "../gateway/model-gateway.ts";
import { syncConversation } from "./conversation.ts";
import { type Exchange, startExchange } from "./exchange.ts";
import type { GatedCalls } from "./gated-calls.ts";
import { toRuntimeEvent } from "./runtime-events.ts";

/** How long a process may take to end in good order before it is killed. */
const stopMs = 10_000;
/** A probe that is not answered by then is not answered. */
const answerMs = 15_000;

/** The exchange that runs now, shared with the callbacks that the SDK was given before there was a session. */
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
  /** Books the model calls; null where the runtime's report is all there is. */
  readonly gateway: ModelGateway | null;
  readonly calls: GatedCalls;
  readonly pingEveryMs: number;
  /** Kills what is left of the session's processes. */
  readonly killProcesses: () => Promise<unknown>;
  readonly countProcesses: () => Promise<number>;
}

/** One awake period of a conversation over an opened SDK session. */
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
        send: (text) => session.send({ prompt: text }),
        abort: () => session.abort(),
        ping: () => client.ping(),
        cancelBackground: () => cancelBackgroundShells(session, log),
        async lost() {
          lost = true;
          unusable = "the runtime process was lost; open the session again";
          log.warn({ session: sessionId }, "runtime process lost");
          // The shells of a dead runtime would continue working in the worktree.
          await parts.killProcesses();
          gateway?.close();
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
      log.warn({ session: sessionId }, "runtime process did not stop in time and is killed");
      await client.forceStop().catch(() => undefined);
    }
    await parts.killProcesses();
    gateway?.close();
    current.exchange?.close();
  }

  async function stopInOrder(): Promise<void> {
    current.exchange?.abort("aborted");
    await current.exchange?.ended;
    // The kill that follows finds shells by /proc, which not every system has.
    await cancelBackgroundShells(session, log);
    // A process that was lost reports nothing of its last calls.
    if (!lost) gateway?.compare();
    await client.stop();
  }

  async function probe(): ReturnType<AgentSession["probe"]> {
    const ping = client.ping().then(() => undefined);
    const [answered, processes] = await Promise.all([
      within(clock, answerMs, ping, { onFailure: false }),
      parts.countProcesses(),
    ]);
    return { process: answered || processes > 0, answered };
  }

  async function save(): Promise<boolean> {
    const saved = client.rpc.sessions.save({ sessionId }).then(() => syncConversation(spec));
    let fault: unknown;
    const kept = saved.catch((error: unknown) => {
      fault = error;
      throw error;
    });
    if (await within(clock, answerMs, kept, { onFailure: false })) return true;
    const { answered } = await probe();
    // One that lives writes by itself; to tell it the same at each turn would never end.
    if (answered) log.warn({ session: sessionId, error: fault }, "a conversation could not be saved at once");
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

/** Whether the work ended within `ms`; a failure of it is an end too, unless `onFailure` says otherwise. */
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

/** Ends the shells that the model left running in the background; never rejects, since what survives is killed at the stop. */
async function cancelBackgroundShells(session: CopilotSession, log: Log): Promise<void> {
  try {
    const { tasks } = await session.rpc.tasks.list();
    const running = tasks.filter(({ status }) => status === "running");
    await Promise.all(running.map(({ id }) => session.rpc.tasks.cancel({ id })));
  } catch (error) {
    log.debug({ session: session.sessionId, detail: messageOf(error) }, "background shells not cancelled");
  }
}
