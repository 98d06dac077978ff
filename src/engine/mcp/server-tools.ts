import { z } from "zod";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { mcpMark } from "../../domain/breakers/process-mark.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import { answerText } from "../../domain/mcp/answer-text.ts";
import { type OfferedTool, offerOf } from "../../domain/mcp/offered-tool.ts";
import { notOffered, serverGone, serverMissing } from "../../domain/mcp/server-texts.ts";
import { partsOfTool } from "../../domain/mcp/tool-name.ts";
import type { HostTool, ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { McpConnection } from "../../domain/ports/mcp-servers.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { recordDecision } from "../kernel/record-decision.ts";

/** How often a server is started for one agent in one awake period. */
const MOST_STARTS = 3;

const argumentsSchema = z.record(z.string(), z.unknown());

/** A server that one agent uses. */
interface Used {
  readonly name: string;
  /** Names of its tools that the agent may call, as the server knows them. */
  readonly allowed: readonly string[];
  /** Undefined after a failure. */
  connection: McpConnection | undefined;
  starts: number;
  /** A start that is under way, which concurrent calls share. */
  starting: Promise<McpConnection> | undefined;
}

/**
 * The tools of MCP servers of one agent in one awake period. A server that fails takes nothing with it: its tools are
 * missing or answer why, the agent and people are told, and the work continues.
 */
export class ServerTools {
  readonly tools: readonly HostTool[];
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #servers: readonly Used[];
  readonly #told = new Set<string>();
  #news: string | null;
  #closed = false;

  private constructor(
    context: EngineContext,
    agent: AgentRecord,
    made: {
      readonly servers: readonly Used[];
      readonly tools: readonly OfferedTool[];
      readonly missing: readonly string[];
    },
  ) {
    this.#context = context;
    this.#agent = agent;
    this.#servers = made.servers;
    this.tools = made.tools.map((tool) => this.#hostTool(tool));
    this.#news = made.missing.length === 0 ? null : serverMissing(made.missing);
  }

  /** Starts the servers of the role, all at once. Never rejects because of a server. */
  static async open(context: EngineContext, agent: AgentRecord, role: Role): Promise<ServerTools> {
    const servers = usedBy(role);
    const missing: string[] = [];
    await Promise.all(
      servers.map(async (server) => {
        try {
          await connected(context, agent, server);
        } catch (error) {
          const reason = `${messageOf(error)}.`;
          missing.push(reason);
          await tellPeople(context, agent, { server: server.name, reason, error });
        }
      }),
    );
    const { tools, leftOut } = offerOf(
      servers.flatMap(({ name, allowed, connection }) =>
        connection === undefined ? [] : [{ name, allowed, listed: connection.tools }],
      ),
    );
    for (const one of leftOut) {
      const reason = `${one}.`;
      missing.push(reason);
      const { server = one } = partsOfTool(one) ?? {};
      await tellPeople(context, agent, { server, reason: notOffered(reason), error: undefined });
    }
    return new ServerTools(context, agent, { servers, tools, missing: missing.toSorted() });
  }

  /** Returns once, for the answer of a tool, what the agent must do without; null where it has everything. */
  news(): string | null {
    const news = this.#news;
    this.#news = null;
    return news;
  }

  /** Ends the servers. Idempotent, never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(
      this.#servers.map(async ({ starting, connection }) => {
        const started = await starting?.catch(() => undefined);
        await Promise.all([connection?.close(), started?.close()]);
      }),
    );
  }

  #hostTool({ name, server, tool, description, parameters }: OfferedTool): HostTool {
    return {
      name,
      description,
      parameters,
      terminal: false,
      call: (args, { signal }) => this.#call({ server, tool, args, signal }),
    };
  }

  async #call(call: {
    readonly server: string;
    readonly tool: string;
    readonly args: unknown;
    readonly signal: AbortSignal;
  }): Promise<ToolAnswer> {
    const args = argumentsSchema.safeParse(call.args ?? {});
    if (!args.success)
      return { ok: false, text: `${call.tool} did nothing. Its arguments must be an object.` };
    const used = this.#servers.find(({ name }) => name === call.server);
    if (used === undefined || this.#closed)
      return { ok: false, text: "Your period is over; nothing was called." };
    let connection: McpConnection | undefined;
    try {
      connection = await connected(this.#context, this.#agent, used);
      const answer = await connection.call(call.tool, args.data, call.signal);
      return { ok: answer.ok, text: answerText(call.server, answer) };
    } catch (error) {
      if (call.signal.aborted || this.#closed) return { ok: false, text: "The call was ended." };
      // Another call may have started it again already.
      if (used.connection === connection) used.connection = undefined;
      await this.#tellOnce(call.server, error);
      const isUncertain = error instanceof OutsideError && error.uncertain;
      return { ok: false, text: serverGone(messageOf(error), isUncertain, used.starts < MOST_STARTS) };
    }
  }

  async #tellOnce(server: string, error: unknown): Promise<void> {
    if (this.#told.has(server)) return;
    this.#told.add(server);
    await tellPeople(this.#context, this.#agent, { server, reason: `${messageOf(error)}.`, error });
  }
}

function usedBy(role: Role): readonly Used[] {
  const allowed = new Map<string, string[]>();
  for (const name of role.mcpTools) {
    const parts = partsOfTool(name);
    if (parts !== null) allowed.set(parts.server, [...(allowed.get(parts.server) ?? []), parts.tool]);
  }
  return [...allowed].map(([name, tools]) => {
    return { name, allowed: tools, connection: undefined, starts: 0, starting: undefined };
  });
}

/** Returns the connection, and starts the server again after a failure. Throws `OutsideError`. */
async function connected(context: EngineContext, agent: AgentRecord, used: Used): Promise<McpConnection> {
  if (used.connection !== undefined) return used.connection;
  if (used.starting === undefined) {
    if (used.starts >= MOST_STARTS)
      throw new OutsideError("mcp_given_up", `The MCP server ${used.name} has failed ${used.starts} times`, {
        consequence: "tell",
      });
    used.starts += 1;
    const rest = `${used.name}-${agent.token}-${used.starts}-${context.nonce()}`;
    const mark = mcpMark(agent.id, rest);
    used.starting = context.mcpServers.open(used.name, mark).finally(() => {
      used.starting = undefined;
    });
  }
  used.connection = await used.starting;
  return used.connection;
}

/** Tells the operator in the log, and people on the issue as a decision. Never rejects. */
async function tellPeople(
  context: EngineContext,
  { id: agentId, name, repositoryId, issue }: AgentRecord,
  { server, reason, error }: { readonly server: string; readonly reason: string; readonly error: unknown },
): Promise<void> {
  const advice = error instanceof OutsideError ? error.advice : undefined;
  context.log.warn({ server, reason, advice, agent: name }, "MCP server not available to an agent");
  const decision = {
    rule: "mcp_server_failed",
    reason,
    inputs: { server },
    at: context.clock.now(),
    agentId,
    repositoryId,
    issue,
    change: null,
    delivery: null,
  } as const;
  await context.store
    .transaction((tables) => recordDecision(tables, decision, false))
    .catch((failed: unknown) => {
      context.log.error({ error: failed, agent: name }, "failure of an MCP server not recorded");
    });
}
