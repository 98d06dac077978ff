import { z } from "zod";
import type { AgentSession, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { ANSWER_MS, createProcessSession, type SessionProcesses } from "../process/process-session.ts";
import type { RemoveTree } from "../runtime-entry.ts";
import type { AgentProcess } from "./agent-process.ts";
import { RpcError } from "./connection.ts";
import { keepAgentId } from "./conversation.ts";
import { startExchange } from "./exchange.ts";
import { type HostSide, promptBlocks } from "./host-side.ts";
import type { Begun } from "./open-agent.ts";
import type { Preset } from "./preset.ts";
import type { SavedConversation } from "./saved-conversation.ts";

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
  readonly version: string | null;
  readonly saved: SavedConversation;
  readonly clock: Clock;
  readonly log: Log;
  readonly removeTree: RemoveTree;
  readonly processes: SessionProcesses;
}

/** One awake period of a conversation with an agent that speaks ACP. */
export function createAcpSession(parts: SessionParts): AgentSession {
  const { process, side, spec, id, saved } = parts;
  const { connection } = process;
  let isSaid = parts.resumed;
  let hasEnded = false;
  void process.ended.then(() => (hasEnded = true));

  const save = (): Promise<void> => saved.save(side.gateway.answered(), () => !hasEnded);

  async function ping(): Promise<void> {
    await connection.ask(PING, {}, ANSWER_MS).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
  }

  return createProcessSession({
    ...parts,
    current: side.current,
    begin: (prompt, options, lost) =>
      startExchange(
        {
          clock: parts.clock,
          gateway: side.gateway,
          takesBack: parts.preset.takesBack === true,
          async send(text, isFirst) {
            await saved.expectMessage(text);
            // From now on something is said in the conversation.
            if (!isSaid) await keepAgentId(spec, id, parts.removeTree);
            isSaid = true;
            const blocks = promptBlocks(text, isFirst ? (options.pictures ?? []) : [], {
              takesPictures: parts.begun.agentCapabilities?.promptCapabilities?.image === true,
              losesPictures: parts.preset.losesPictures === true,
            });
            return connection.ask("session/prompt", { sessionId: id, prompt: blocks });
          },
          cancel() {
            side.tools.abort();
            connection.tell("session/cancel", { sessionId: id });
          },
          lost,
          unread: () => side.unread(),
        },
        prompt,
        options,
      ),
    ended: () => side.tools.abort(),
    ping,
    async save() {
      await Promise.all([save(), side.gateway.written()]);
      await ping();
    },
    async endInOrder() {
      // One that ends by itself writes all before. What another one does not write in time is lost.
      if (!parts.preset.endsWithInput) await save().catch(() => undefined);
      const canClose = parts.begun.agentCapabilities?.sessionCapabilities?.close;
      if (canClose !== undefined && canClose !== null)
        await connection.ask("session/close", { sessionId: id }).catch(() => undefined);
      process.closeInput();
      if (!parts.preset.endsWithInput) return;
      await process.ended;
      await saved.sync();
    },
    howEnded: () => process.lost,
    kill: () => process.kill(),
    async close() {
      await side.close();
      connection.lose("was stopped");
    },
  });
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
