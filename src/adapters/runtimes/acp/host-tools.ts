import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { HostTool, ToolAnswer } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import { canonical } from "../../../domain/sessions/fingerprint.ts";
import { isTooDeep, TOO_DEEP } from "../../../domain/sessions/nesting.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import type { AgentCalls } from "./agent-calls.ts";
import { MCP_NAME } from "./preset.ts";

/** A tool is answered this long before the agent would give up waiting. */
const BEFORE_LIMIT_MS = 10_000;

interface Parts {
  readonly tools: readonly HostTool[];
  readonly calls: AgentCalls;
  readonly clock: Pick<Clock, "after">;
  /** How long the agent waits for an answer, in milliseconds. */
  readonly callMs: number;
  /** The agent has been told which tools there are. */
  listed(): void;
  /** A terminal tool succeeded. Called before the agent has the answer. */
  terminal(): void;
  /** The gate ends the exchange. */
  limit(): void;
  /** Awaited before the agent gets the answer of a tool. */
  answering(): Promise<void>;
}

/** A tool at work. */
interface Running {
  readonly answer: Promise<ToolAnswer>;
  readonly abort: AbortController;
  /** The model was told that it is still running, or the agent is gone: the next such call gets its answer. */
  left: boolean;
}

/** Our tools as the agent sees them: an MCP server over HTTP, in which the gate stands. */
export interface HostTools {
  /** Answers one request of the agent. */
  handle(request: Request): Promise<Response>;
  /** Aborts all tools that are at work, and forgets answers that nobody came for. */
  abort(): void;
}

export function createHostTools(parts: Parts): HostTools {
  const { tools, calls } = parts;
  const running = new Map<string, Running>();

  async function call(name: string, args: unknown, gone: AbortSignal): Promise<ToolAnswer> {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return { ok: false, text: `There is no tool ${name} for this role.` };
    if (isTooDeep(args))
      return { ok: false, text: `The tool was not called with ${TOO_DEEP}. Flatten them.` };
    const key = `${name}\n${canonical(args)}`;
    const claimed = calls.claim({ toolName: name, args });
    const left = running.get(key);
    if (left?.left === true) {
      left.left = false;
      return answerOf(tool, claimed.id, { key, work: left, gone });
    }
    const decision = await calls.decide(claimed);
    if (!decision.allow) {
      if (decision.endExchange) parts.limit();
      calls.ended(claimed.id, { ok: false, denied: true, output: decision.reason });
      await parts.answering();
      return { ok: false, text: decision.reason };
    }
    if (gone.aborted) return notRun(claimed.id);
    const abort = new AbortController();
    const work: Running = { answer: run(tool, args, claimed.id, abort.signal), abort, left: false };
    // Another call of the same kind is at work: it keeps its place, and only one of them can be waited for later.
    const place = running.has(key) ? `${key}\n${claimed.id}` : key;
    running.set(place, work);
    return answerOf(tool, claimed.id, { key: place, work, gone });
  }

  /** The agent went away while the gate was asked: what it sends again is asked about again. */
  function notRun(id: string): ToolAnswer {
    const text = "The agent gave the call up before it was made.";
    calls.ended(id, { ok: false, denied: false, output: text });
    return { ok: false, text };
  }

  async function answerOf(
    tool: HostTool,
    id: string,
    { key, work, gone }: { readonly key: string; readonly work: Running; readonly gone: AbortSignal },
  ): Promise<ToolAnswer> {
    let isEarly = false;
    const leave = (): void => void (work.left = true);
    gone.addEventListener("abort", leave, { once: true });
    const answer = await withTimeout(parts.clock, parts.callMs - BEFORE_LIMIT_MS, work.answer, () => {
      leave();
      isEarly = true;
      return {
        ok: true,
        text: `${tool.name} is still running. Call it again with exactly the same arguments to wait for its result: it does not run twice.`,
      };
    });
    gone.removeEventListener("abort", leave);
    if (!work.left && running.get(key) === work) running.delete(key);
    calls.ended(id, { ok: answer.ok, denied: false, output: answer.text });
    if (answer.ok && tool.terminal && !isEarly) parts.terminal();
    await parts.answering();
    return answer;
  }

  const handler = createMcpHandler(() => {
    const server = new Server({ name: MCP_NAME, version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => {
      parts.listed();
      return {
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          inputSchema: { ...parameters, type: "object" as const },
        })),
      };
    });
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const { ok, text } = await call(params.name, params.arguments ?? {}, mcpReq.signal);
      return { content: [{ type: "text", text }], ...(ok ? {} : { isError: true }) };
    });
    return server;
  });

  return {
    handle: (request) => handler.fetch(request),
    abort() {
      for (const { abort } of running.values()) abort.abort();
      running.clear();
    },
  };
}

async function run(
  tool: HostTool,
  args: unknown,
  toolCallId: string,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  try {
    return await tool.call(args, { toolCallId, signal });
  } catch (error) {
    return { ok: false, text: `The tool failed: ${messageOf(error)}` };
  }
}
