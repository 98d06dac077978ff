import type { McpSecrets } from "../domain/ports/mcp-servers.ts";
import type { McpServer } from "../domain/settings/mcp-section.ts";
import type { Variables } from "./environment.ts";

/** Reads the values that MCP servers get out of our environment, by the servers' names. No fault quotes one. */
export function readMcpSecrets(
  servers: Readonly<Record<string, McpServer>>,
  variables: Variables,
): { readonly secrets: ReadonlyMap<string, McpSecrets>; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const valueOf = (at: string, name: string): string => {
    const value = variables[name];
    if (value === undefined)
      faults.push(
        `mcp_servers.${at}: the environment variable ${name} is not set; set it, or take the key out.`,
      );
    else if (/[\0\r\n]/.test(value))
      faults.push(
        `mcp_servers.${at}: the environment variable ${name} holds a line end; write it in one line.`,
      );
    return value ?? "";
  };
  const secrets = Object.entries(servers).map(([server, { env, header }]) => {
    const values = Object.entries(env).map(([name, from]) => [name, valueOf(`${server}.env.${name}`, from)]);
    const { name = "", value_env: from } = header ?? {};
    return [
      server,
      {
        env: Object.fromEntries(values),
        header: from === undefined ? undefined : { name, value: valueOf(`${server}.header.value_env`, from) },
      },
    ] as const;
  });
  return { secrets: new Map(secrets), faults };
}
