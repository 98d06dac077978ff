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
    faults.push(...mcpSecretFaults(`mcp_servers.${at}`, name, value));
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

/** Returns the fault of the variable `name` as a server's secret; `key` is the path that names it. */
export function mcpSecretFaults(key: string, name: string, value: string | undefined): readonly string[] {
  const variable = `${key}: the environment variable ${name}`;
  if (value === undefined) return [`${variable} is not set; set it, or take the key out.`];
  return /[\0\r\n]/.test(value) ? [`${variable} holds a line end; write it in one line.`] : [];
}
