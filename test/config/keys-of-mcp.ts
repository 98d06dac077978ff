import type { Config } from "../../src/config/load-config.ts";
import type { KeyInForce } from "./keys-in-force.ts";

const server = (more: string) => `mcp_servers: { docs: { tools: [search], ${more} } }`;
const docs = (config: Config) => config.mcpServers["docs"];

/** Keys of MCP servers. */
export const MCP_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "mcp_servers",
    set: server("command: [docs-server]"),
    read: (c) => Object.keys(c.mcpServers),
    expected: ["docs"],
  },
  {
    key: "mcp_servers.*.command",
    set: server("command: [docs-server, --all]"),
    read: (c) => docs(c)?.command,
    expected: ["docs-server", "--all"],
  },
  {
    key: "mcp_servers.*.env",
    set: server("command: [docs-server], env: { DOCS_TOKEN: OTHER_KEY }"),
    read: (c) => c.secrets.mcpServers.get("docs")?.env,
    expected: { DOCS_TOKEN: "other-key" },
  },
  {
    key: "mcp_servers.*.hosts",
    set: `{ sandbox: { mode: bubblewrap }, ${server("command: [docs-server], hosts: [docs.example.com]")} }`,
    read: (c) => docs(c)?.hosts,
    expected: ["docs.example.com"],
  },
  {
    key: "mcp_servers.*.readable",
    set: server("command: [docs-server], readable: [/opt/docs]"),
    read: (c) => docs(c)?.readable,
    expected: ["/opt/docs"],
  },
  {
    key: "mcp_servers.*.url",
    set: server('url: "https://docs.example.com/mcp"'),
    read: (c) => docs(c)?.url,
    expected: "https://docs.example.com/mcp",
  },
  {
    key: "mcp_servers.*.header.name",
    set: server('url: "https://docs.example.com/mcp", header: { name: X-Key, value_env: OTHER_KEY }'),
    read: (c) => c.secrets.mcpServers.get("docs")?.header?.name,
    expected: "X-Key",
  },
  {
    key: "mcp_servers.*.header.value_env",
    set: server('url: "https://docs.example.com/mcp", header: { name: X-Key, value_env: OTHER_KEY }'),
    read: (c) => c.secrets.mcpServers.get("docs")?.header?.value,
    expected: "other-key",
  },
  {
    key: "mcp_servers.*.tools",
    set: server("command: [docs-server]"),
    read: (c) => docs(c)?.tools,
    expected: ["search"],
  },
];
