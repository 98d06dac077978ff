import { OutsideError } from "../../domain/kernel/errors.ts";
import type { McpSecrets, McpServers } from "../../domain/ports/mcp-servers.ts";
import type { McpServer } from "../../domain/settings/mcp-section.ts";
import type { Parts } from "./open-server.ts";

interface Configured extends Parts {
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly secrets: ReadonlyMap<string, McpSecrets>;
}

export function createMcpServers({ servers, secrets, ...parts }: Configured): McpServers {
  return {
    async open(name, mark) {
      const server = servers[name];
      if (server === undefined)
        throw new OutsideError("mcp_server_unknown", `There is no MCP server ${name} in the configuration`, {
          consequence: "tell",
        });
      // Loaded with the first server: most hosts name none, and the SDK's client would slow their start.
      const { openServer } = await import("./open-server.ts");
      return openServer(
        { name, server, secrets: secrets.get(name) ?? { env: {}, header: undefined }, mark },
        parts,
      );
    },
  };
}
