import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Picture } from "../../../domain/pictures/picture.ts";
import type { ModelProvider, RuntimeEvent, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { HostPort } from "../../../domain/ports/runner.ts";
import { bundledFile } from "../../../domain/settings/bundled-file.ts";
import { createSessionGateway } from "../gateway/create-session-gateway.ts";
import type { SessionGateway } from "../gateway/session-gateway.ts";
import { openSessionSocket } from "../gateway/session-socket.ts";
import type { CurrentExchange } from "../process/process-session.ts";
import type { RuntimeHost } from "../runtime-entry.ts";
import { AgentCalls } from "./agent-calls.ts";
import { STATE } from "./conversation.ts";
import type { Exchange } from "./exchange.ts";
import { createHostTools, type HostTools } from "./host-tools.ts";
import { answerHook, answerPermission, CANCELLED } from "./permissions.ts";
import type { AgentPlace, Preset } from "./preset.ts";

/** The hook that agents run which ask only by one. */
export const HOOK = fileURLToPath(bundledFile("inside/hook.ts", import.meta.url));
/** The MCP server that agents start which reach none over HTTP. */
export const BRIDGE = fileURLToPath(bundledFile("inside/mcp-bridge.ts", import.meta.url));

const KEY_BYTES = 24;
const TURN_OVER = { allow: false, reason: "The turn is over." };

/** What stands on the host for one session: the model's gateway, our tools and the gate, behind one socket. */
export interface HostSide {
  readonly gateway: SessionGateway;
  readonly tools: HostTools;
  readonly port: HostPort;
  readonly place: AgentPlace;
  /** Resolves when the agent has asked which tools of ours there are. */
  readonly listed: Promise<void>;
  /** The exchange under way, which what happens here may end. */
  readonly current: CurrentExchange<Exchange>;
  /** Awaited before a call of one of our tools is answered. */
  answering: () => Promise<void>;
  permission(params: unknown): Promise<object>;
  /** Returns what was denied since the last call and the model has not read; null where there is nothing. */
  unread(): string | null;
  /** Cuts the agent off. Idempotent; never rejects. */
  close(): Promise<void>;
}

export type ProvidedSpec = SessionSpec & { readonly provider: ModelProvider };

export async function openHostSide(
  spec: ProvidedSpec,
  preset: Preset,
  host: RuntimeHost & { readonly packages: string },
): Promise<HostSide> {
  const { log, clock } = host;
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const current: HostSide["current"] = { exchange: undefined };
  const { promise: listed, resolve: list } = Promise.withResolvers<void>();
  const denied = new Map<string, string>();
  const port = await host.runner.port();
  const opened: { close(): void | Promise<void> }[] = [port];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed())
      try {
        await one.close();
      } catch (error) {
        log.warn({ session: spec.sessionId, detail: messageOf(error) }, "a way to the host did not close");
      }
  };
  try {
    const gateway = await createSessionGateway(
      { ...spec, onEvent: seen },
      {
        log,
        clock,
        refused: host.refusedModels,
        remarksFile: spec.sentFile,
        toolName: (raw: string) => preset.toolName(raw),
        takesBack: preset.takesBack === true,
      },
    );
    opened.push(gateway);
    gateway.onRefused(() => current.exchange?.refused());
    const calls = new AgentCalls(spec, { gateway, log });
    const limit = () => current.exchange?.abort("aborted");
    const parts = {
      spec,
      preset,
      calls,
      limit,
      denied: ({ name }: { name: string }, reason: string) => void denied.set(name, reason),
    };
    const tools = createHostTools({
      tools: spec.tools,
      calls,
      clock,
      callMs: preset.callMs,
      listed: list,
      limit,
      terminal: () => current.exchange?.terminal(),
      answering: () => side.answering(),
    });
    /** Once an agent was told to end its turn, it may run nothing more, and nobody is asked about it. */
    const isOver = (): boolean => current.exchange?.isEnding() ?? true;
    const gate = async (request: Request): Promise<Response> => {
      const body = await request.json().catch(() => null);
      const answer = isOver() ? TURN_OVER : await answerHook(body, parts);
      return Response.json(isOver() ? TURN_OVER : answer);
    };
    opened.push(
      await openSessionSocket({
        path: port.path,
        token: key,
        log,
        handlers: {
          model: (request) => gateway.handle(request),
          mcp: (request) => tools.handle(request),
          gate,
        },
      }),
    );
    function seen(event: RuntimeEvent): void {
      if (event.type === "tool_started") calls.announced(event.toolCallId);
      // With its next request, the model reads what was denied.
      if (event.type === "turn_started") denied.clear();
      spec.onEvent(event);
    }
    const side: HostSide = {
      gateway,
      tools,
      port,
      listed,
      current,
      place: placeOf(spec, { port, key, packages: host.packages }),
      answering: () => Promise.resolve(),
      async permission(params) {
        const answer = isOver() ? CANCELLED : await answerPermission(params, parts);
        return isOver() ? CANCELLED : answer;
      },
      unread() {
        if (denied.size === 0) return null;
        const lines = [...denied].map(([name, reason]) => `- ${name}: ${reason}`);
        denied.clear();
        return ["These calls were not made:", ...lines, "Continue without them."].join("\n");
      },
      close,
    };
    return side;
  } catch (error) {
    await close();
    throw error;
  }
}

function placeOf(
  spec: ProvidedSpec,
  { port, key, packages }: { readonly port: HostPort; readonly key: string; readonly packages: string },
): AgentPlace {
  const address = `http://127.0.0.1:${port.port}`;
  return {
    base: spec.baseDirectory,
    state: join(spec.baseDirectory, STATE),
    worktree: spec.workingDirectory,
    packages,
    gateway: `${address}/model`,
    mcp: `${address}/mcp`,
    gate: `${address}/gate`,
    hook: [process.execPath, HOOK, `${address}/gate`, key],
    key,
    model: spec.model,
    sees: spec.sees,
    maxPromptTokens: spec.provider.maxPromptTokens,
    systemPrompt: spec.systemPrompt,
    capabilities: spec.capabilities,
    tools: spec.tools.map(({ name }) => name),
  };
}

/** Turns a message into ACP's blocks, and says in it what becomes of its pictures where that is less than it seems. */
export function promptBlocks(
  text: string,
  pictures: readonly Picture[],
  agent: { readonly takesPictures: boolean; readonly losesPictures: boolean },
): readonly object[] {
  const shown = agent.takesPictures ? pictures : [];
  const words =
    shown.length < pictures.length
      ? "\n\nYou cannot be shown the pictures of this message: this agent takes none."
      : shown.length > 0 && agent.losesPictures
        ? "\n\nYou see the pictures of this message only until you are started again. Write down what matters in them."
        : "";
  return [
    { type: "text", text: `${text}${words}` },
    ...shown.map(({ mediaType, bytes }) => ({
      type: "image",
      mimeType: mediaType,
      data: Buffer.from(bytes).toString("base64"),
    })),
  ];
}
