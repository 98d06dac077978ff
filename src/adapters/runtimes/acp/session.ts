import { z } from "zod";
import type { AgentSession, ExchangeEnd, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import type { RemoveTree } from "../runtime-entry.ts";
import type { AgentProcess } from "./agent-process.ts";
import { RpcError } from "./connection.ts";
import { keepAgentId, type SavedConversation } from "./conversation.ts";
import { startExchange } from "./exchange.ts";
import { type HostSide, promptBlocks } from "./host-side.ts";
import type { Begun } from "./open-agent.ts";
import type { Preset } from "./preset.ts";

/** How long a process may take for an orderly end before it is killed. */
const STOP_MS = 10_000;
/** Time limit for the answer to a probe. */
const ANSWER_MS = 15_000;
/** At most so often the agent's word counts that a tool is at work, in milliseconds. */
const SIGN_EVERY_MS = 1000;
/** No agent knows this request; any answer is a sign of life. */
const PING = "_flotilla/ping";

const update = z.looseObject({
  update: z.looseObject({
    sessionUpdate: z.string(),
    used: z.number().nonnegative().optional(),
    size: z.number().positive().optional(),
  }),
});

interface SessionParts {
  readonly process: AgentProcess;
  readonly side: HostSide;
  readonly spec: SessionSpec;
  readonly preset: Preset;
  readonly begun: Begun;
  /** The agent's own id of the conversation. */
  readonly id: string;
  readonly resumed: boolean;
  readonly saved: SavedConversation;
  readonly clock: Clock;
  readonly log: Log;
  readonly removeTree: RemoveTree;
  /** Kills the session's remaining processes. */
  readonly killProcesses: () => Promise<unknown>;
  /** Why the system ended the session's processes for their memory; null where it did not. */
  readonly memoryEnd: () => string | null;
  readonly countProcesses: () => Promise<number>;
}

/** One awake period of a conversation with an agent that speaks ACP. */
export function createAcpSession(parts: SessionParts): AgentSession {
  const { process, side, spec, clock, log, id } = parts;
  const { connection } = process;
  const { current, gateway } = side;
  let unusable: string | undefined;
  let isSaid = parts.resumed;
  let hasEnded = false;
  void process.ended.then(() => (hasEnded = true));
  let stopping: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function run(
    prompt: string,
    deadline: Parameters<AgentSession["exchange"]>[1],
  ): Promise<ExchangeEnd> {
    if (unusable !== undefined) return { kind: "runtime_died", detail: unusable };
    current.exchange = startExchange(
      {
        clock,
        gateway,
        async send(text, isFirst) {
          await parts.saved.expectMore();
          // From now on something is said in the conversation.
          if (!isSaid) await keepAgentId(spec, id, parts.removeTree);
          isSaid = true;
          const canSee = parts.begun.agentCapabilities?.promptCapabilities?.image === true;
          const pictures = isFirst && canSee ? (deadline.pictures ?? []) : [];
          return connection.ask("session/prompt", { sessionId: id, prompt: promptBlocks(text, pictures) });
        },
        cancel() {
          side.tools.abort();
          connection.tell("session/cancel", { sessionId: id });
        },
        lost,
        unread: () => side.unread(),
      },
      prompt,
      deadline,
    );
    const end = await current.exchange.ended;
    current.exchange = undefined;
    side.tools.abort();
    return end;
  }

  async function lost(isGone: boolean): Promise<string | null> {
    unusable = "the agent's process was lost; open the session again";
    log.warn({ session: spec.sessionId }, "runtime process lost");
    const why = parts.memoryEnd();
    const how = isGone ? await process.lost : null;
    // Its shells would continue to work in the worktree.
    process.kill();
    await parts.killProcesses();
    await side.close();
    return why ?? how;
  }

  async function stop(): Promise<void> {
    unusable ??= "the session was stopped";
    if (!(await within(STOP_MS, stopInOrder())))
      log.warn({ session: spec.sessionId }, "runtime process killed: it did not stop in time");
    process.kill();
    await parts.killProcesses();
    await side.close();
    connection.lose("was stopped");
    current.exchange?.close();
  }

  async function stopInOrder(): Promise<void> {
    current.exchange?.abort("aborted");
    await current.exchange?.ended;
    // One that ends by itself writes all before.
    if (!parts.preset.endsWithInput) await parts.saved.save(() => !hasEnded);
    const canClose = parts.begun.agentCapabilities?.sessionCapabilities?.close;
    if (canClose !== undefined && canClose !== null)
      await connection.ask("session/close", { sessionId: id }).catch(() => undefined);
    process.closeInput();
    if (!parts.preset.endsWithInput) return;
    await process.ended;
    await parts.saved.sync();
  }

  async function answers(): Promise<boolean> {
    try {
      await connection.ask(PING, {}, ANSWER_MS);
      return true;
    } catch (error) {
      return error instanceof RpcError;
    }
  }

  /** Returns whether the work ended within `ms`; its failure counts as an end. */
  function within(ms: number, work: Promise<unknown>): Promise<boolean> {
    const ended = work.then(
      () => true,
      () => true,
    );
    return withTimeout(clock, ms, ended, () => false);
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
    async probe() {
      const [answered, processes] = await Promise.all([answers(), parts.countProcesses()]);
      return { process: answered || processes > 0, answered };
    },
    async save() {
      if (unusable !== undefined) return false;
      await within(
        ANSWER_MS,
        Promise.all([parts.saved.save(() => !hasEnded), gateway.written()]).catch((error: unknown) => {
          log.warn({ session: spec.sessionId, error }, "session not saved at once");
        }),
      );
      return answers();
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/**
 * Returns what hears an agent's own reports. Almost nothing is taken from them: that a tool is at work, and how full its
 * window is where the host does not know the model's.
 */
export function createUpdates(
  spec: Pick<SessionSpec, "onEvent" | "provider">,
  clock: Pick<Clock, "now">,
): (method: string, params: unknown) => void {
  let lastSign = Number.NEGATIVE_INFINITY;
  return (method, params) => {
    if (method !== "session/update") return;
    const { data } = update.safeParse(params);
    if (data === undefined) return;
    const { sessionUpdate, used, size } = data.update;
    if (sessionUpdate === "tool_call_update" && clock.now() - lastSign >= SIGN_EVERY_MS) {
      lastSign = clock.now();
      spec.onEvent({ type: "sign", of: "tool" });
    }
    if (sessionUpdate !== "usage_update" || used === undefined || size === undefined) return;
    if (spec.provider?.maxPromptTokens === undefined)
      spec.onEvent({ type: "context", currentTokens: used, tokenLimit: size });
  };
}
