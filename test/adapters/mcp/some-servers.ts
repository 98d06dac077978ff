import { join } from "node:path";
import { createMcpServers } from "../../../src/adapters/mcp/create-mcp-servers.ts";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import type { McpSecrets, McpServers } from "../../../src/domain/ports/mcp-servers.ts";
import type { Runner } from "../../../src/domain/ports/runner.ts";
import type { McpServer } from "../../../src/domain/settings/mcp-section.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FIXTURES = join(ROOT, "test/fixtures/mcp");

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** One of the fixtures as the configuration names it. */
export function aCommand(file: "stdio.ts" | "bad.ts", ...args: readonly string[]): McpServer {
  return {
    command: [process.execPath, join(FIXTURES, file), ...args],
    env: {},
    hosts: [],
    readable: [join(ROOT, "node_modules"), FIXTURES],
    tools: ["echo"],
  };
}

export function someServers(
  desk: McpServer,
  clock: Clock,
  {
    runner = createUnconfinedRunner(clock),
    secrets = { env: {}, header: undefined },
  }: { readonly runner?: Pick<Runner, "confine" | "killMarked">; readonly secrets?: McpSecrets } = {},
): McpServers {
  return createMcpServers({
    servers: { desk },
    secrets: new Map([["desk", secrets]]),
    runner,
    commandEnv: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
    clock,
    log: SILENT,
  });
}
