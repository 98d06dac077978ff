import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { McpConnection, McpSecrets } from "../../domain/ports/mcp-servers.ts";
import type { Runner } from "../../domain/ports/runner.ts";
import type { McpServer } from "../../domain/settings/mcp-section.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { END_MS } from "./bounds.ts";
import { ConfinedTransport } from "./confined-transport.ts";
import { type Line, openConnection } from "./connection.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { requestIn, withEnd } from "./response-end.ts";

export interface Parts {
  readonly runner: Pick<Runner, "confine" | "killMarked">;
  /** Variables that every confined command gets. */
  readonly commandEnv: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Named {
  readonly name: string;
  readonly server: McpServer;
  readonly secrets: McpSecrets;
  readonly mark: string;
}

/** Starts a server or reaches its address, and asks it for its tools. */
export async function openServer(
  { name, server, secrets, mark }: Named,
  parts: Parts,
): Promise<McpConnection> {
  const line =
    server.url === undefined
      ? await commandLine(name, { ...server, ...secrets, mark }, parts)
      : addressLine(server.url, secrets, parts);
  return openConnection(name, line, parts.clock);
}

/** Confines a server's command. Its only place to write is the sandbox's own /tmp. */
async function commandLine(
  name: string,
  server: Pick<McpServer, "command" | "hosts" | "readable"> &
    Pick<McpSecrets, "env"> & { readonly mark: string },
  { runner, commandEnv, log }: Parts,
): Promise<Line> {
  const { command: [file = "", ...args] = [], hosts, readable, env, mark } = server;
  const place = { HOME: "/tmp", TMPDIR: "/tmp" };
  // By env, since a sandbox starts programs by their path; it finds this one in the server's PATH.
  const command = {
    file: "/usr/bin/env",
    args: [file, ...args],
    cwd: "/tmp",
    env: { ...commandEnv, ...place, ...env, [PROCESS_MARK]: mark },
  };
  let transport: ConfinedTransport;
  try {
    transport = new ConfinedTransport(
      await runner.confine(command, { writable: [], readable, hosts, registries: false }),
    );
  } catch (error) {
    log.warn({ server: name, error: messageOf(error) }, "MCP server not confined");
    throw new OutsideError("mcp_server_failed", `The MCP server ${name} did not start`, {
      consequence: "tell",
      advice: "The log of Flotilla says why its sandbox could not be made.",
      cause: error,
    });
  }
  return {
    transport,
    flooded: () => transport.flooded,
    refusal: () => null,
    isCut: () => false,
    async end() {
      const { stderr } = transport;
      await transport.close();
      await runner.killMarked([mark]).catch((error: unknown) => {
        log.error({ server: name, error: messageOf(error) }, "processes of an MCP server not ended");
      });
      if (stderr !== "") log.debug({ server: name, stderr }, "MCP server wrote to its standard error");
    },
  };
}

function addressLine(url: string, { header }: McpSecrets, { clock }: Parts): Line {
  let flooded = false;
  let refusal: string | null = null;
  let isCut = false;
  /** Requests that need no answer any more. */
  const over = new Set<unknown>();
  const limited = limitedFetch(header, () => {
    flooded = true;
    // The transport only reports an error of a stream: this ends the calls that wait for it.
    void transport.close();
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (address, init) => {
      const { made, givenUp } = requestIn(init?.body);
      if (givenUp !== null) over.add(givenUp);
      const response = await limited(address, init);
      // Not every server has the stream that a GET would open.
      if (!response.ok && init?.method === "POST") refusal = `HTTP ${response.status}`;
      if (!response.ok || made === null) return response;
      return withEnd(response, () => {
        // What the response held is read first.
        clock.after(0, () => {
          if (over.delete(made) || init?.signal?.aborted === true) return;
          isCut = true;
          void transport.close();
        });
      });
    },
    onInsufficientScope: "throw",
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK has this listener alone; its client calls it first
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) over.add(message.id);
  };
  return {
    transport,
    flooded: () => flooded,
    refusal: () => refusal,
    isCut: () => isCut,
    async end() {
      if (transport.sessionId !== undefined)
        await withTimeout(clock, END_MS, transport.terminateSession(), () => undefined).catch(
          () => undefined,
        );
      await transport.close().catch(() => undefined);
    },
  };
}
