import { Client, ProtocolError, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { ListedTool, McpAnswer, McpConnection } from "../../domain/ports/mcp-servers.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { CALL_MS, MOST_PAGES, START_MS } from "./bounds.ts";

/** A server as it is reached. */
export interface Line {
  readonly transport: Transport;
  /** Returns true once the server sent more than it may. */
  readonly flooded: () => boolean;
  /** Returns how it refused us, such as `HTTP 401`; null where it did not. */
  readonly refusal: () => string | null;
  /** Returns true once a response ended without the answer that it was for. */
  readonly isCut: () => boolean;
  /** Ends it with everything that it started. Never rejects. */
  readonly end: () => Promise<void>;
}

const listSchema = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string().default(""), inputSchema: z.unknown().optional() }),
  ),
  nextCursor: z.string().optional(),
});

const answerSchema = z.object({
  content: z
    .array(
      z.looseObject({ type: z.string(), text: z.unknown().optional(), resource: z.unknown().optional() }),
    )
    .default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

/** The SDK's timer is never the first: ours is the clock's. */
const NEVER_FIRST_MS = 2 ** 31 - 1;

/** Opens a connection and lists the tools. Throws `OutsideError`; nothing of the server is left then. */
export async function openConnection(
  server: string,
  line: Line,
  clock: Pick<Clock, "after">,
): Promise<McpConnection> {
  const client = new Client(
    { name: "flotilla", version: "1" },
    {
      capabilities: {},
      inputRequired: { autoFulfill: false },
      // A server's pattern could take for ever on the server's own answer.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "" }),
      },
    },
  );
  let isOpen = true;
  const close = async (): Promise<void> => {
    isOpen = false;
    await line.end();
    await client.close().catch(() => undefined);
  };
  /** Throws what happened to the server, in our words, and closes the connection. */
  const within = async <T>(
    ms: number,
    work: Promise<T>,
    { uncertain, signal }: { readonly uncertain: boolean; readonly signal?: AbortSignal },
  ): Promise<T> => {
    const late = new Error("late");
    try {
      return await withTimeout(clock, ms, work, () => {
        throw late;
      });
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (signal?.aborted === true) throw failure(server, "was not waited for", uncertain);
      const what =
        error === late ? `did not answer within ${ms / 1000} s` : whatHappened(line, error, uncertain);
      await close();
      throw failure(server, what, uncertain);
    }
  };
  let tools: readonly ListedTool[];
  try {
    const options = { timeout: NEVER_FIRST_MS };
    const begun = client.connect(line.transport, options).then(() => listed(client));
    tools = await within(START_MS, begun, { uncertain: false });
  } catch (error) {
    await close();
    if (error instanceof ProtocolError) throw failure(server, "refused the first request", false);
    throw error;
  }
  return {
    tools,
    async call(tool, args, signal) {
      if (!isOpen) throw failure(server, "is gone", false);
      const request = { method: "tools/call", params: { name: tool, arguments: { ...args } } } as const;
      const options = { signal, timeout: NEVER_FIRST_MS };
      try {
        const answer = client.request(request, answerSchema, options);
        return answerOf(await within(CALL_MS, answer, { uncertain: true, signal }));
      } catch (error) {
        // The server's own refusal, in its words.
        if (error instanceof ProtocolError) return { ok: false, parts: [{ text: error.message }] };
        throw error;
      }
    },
    close,
  };
}

async function listed(client: Client): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await client.request(
      { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
      listSchema,
      { timeout: NEVER_FIRST_MS },
    );
    for (const { name, description, inputSchema } of found.tools)
      tools.push({ name, description, inputSchema });
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

type Part = z.output<typeof answerSchema>["content"][number];

function answerOf({ content, structuredContent, isError }: z.output<typeof answerSchema>): McpAnswer {
  const parts = content.map(partOf);
  // Servers repeat in `content` what is in there; one that does not has said it only here.
  const structured =
    parts.length === 0 && structuredContent !== undefined && structuredContent !== null
      ? [{ text: JSON.stringify(structuredContent) }]
      : [];
  return { ok: !isError, parts: [...parts, ...structured] };
}

const resourceText = z.object({ text: z.string() });

function partOf({ type, text, resource }: Part): McpAnswer["parts"][number] {
  if (type === "text" && typeof text === "string") return { text };
  const inner = resourceText.safeParse(resource);
  if (inner.success) return { text: inner.data.text };
  return { other: type === "image" || type === "audio" ? type : "resource" };
}

/** Returns what a failure says of the server, as the end of a sentence; nothing of the server's own words. */
function whatHappened(line: Line, error: unknown, wasCalled: boolean): string {
  if (line.flooded()) return "sent more than an answer may have, and was ended";
  const refusal = line.refusal();
  if (refusal !== null) return `answered with ${refusal}`;
  if (line.isCut()) return "ended its response before the answer";
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return "sent an answer that breaks the protocol";
  return wasCalled ? "stopped in the middle of the call" : "did not start, or could not be reached";
}

function failure(server: string, what: string, uncertain: boolean): OutsideError {
  return new OutsideError("mcp_server_failed", `The MCP server ${server} ${what}`, {
    consequence: "tell",
    uncertain,
    advice: `Look at \`mcp_servers.${server}\` in the configuration, and try its command or address by hand.`,
  });
}
