import { OutsideError } from "../../src/domain/kernel/errors.ts";
import type { ListedTool, McpAnswer, McpServers } from "../../src/domain/ports/mcp-servers.ts";

/** No server is configured. */
export const NO_MCP_SERVERS: McpServers = {
  open: (server) => Promise.reject(new Error(`there is no server ${server}`)),
};

/** What one server does. */
export interface FakeServer {
  readonly tools?: readonly ListedTool[];
  /** Why it does not start, at each start in turn; null where it does. */
  readonly starts?: readonly (string | null)[];
  readonly answer?: (tool: string, args: Readonly<Record<string, unknown>>) => McpAnswer | Error;
}

/** The failure of a server, as the adapter throws it. */
export function serverFailure(message: string, uncertain = false): OutsideError {
  return new OutsideError("mcp_server_failed", message, { consequence: "tell", uncertain });
}

export interface FakeMcpServers extends McpServers {
  /** Servers that were opened, and those that were closed, in order. */
  readonly opened: string[];
  readonly closed: string[];
  readonly calls: { readonly server: string; readonly tool: string; readonly args: unknown }[];
}

export function createFakeMcpServers(servers: Readonly<Record<string, FakeServer>>): FakeMcpServers {
  const fake: FakeMcpServers = {
    opened: [],
    closed: [],
    calls: [],
    async open(server) {
      const { tools = [], starts = [], answer } = servers[server] ?? {};
      const begun = fake.opened.filter((one) => one === server).length;
      fake.opened.push(server);
      const why = starts[begun] ?? null;
      if (why !== null) throw serverFailure(why);
      return {
        tools,
        async call(tool, args) {
          fake.calls.push({ server, tool, args });
          const said = answer?.(tool, args) ?? { ok: true, parts: [] };
          if (said instanceof Error) throw said;
          return said;
        },
        async close() {
          fake.closed.push(server);
        },
      };
    },
  };
  return fake;
}
