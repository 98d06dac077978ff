import { z } from "zod";
import { isHostName } from "../access/host-name.ts";
import { MOST_TOOLS, mcpToolName, toolNameFault } from "../mcp/tool-name.ts";
import { setting } from "./keys.ts";

const variable = () =>
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: "write the name of an environment variable, never the value itself",
  });

const absolutePath = () =>
  z.string().regex(/^\/(?!.*(?:^|\/)\.\.?(?:\/|$)).*[^/]$/, {
    error: "write an absolute path without . and .., and without / at its end",
  });

const serverSchema = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe(
        "Program and arguments of a server that talks on its standard streams. It runs in a sandbox of its own for each agent, in an empty directory.",
      ),
    env: z
      .record(variable(), variable())
      .prefault({})
      .describe(
        "Its environment variables, each with the name of Flotilla's variable that holds the value. Secrets stay with it: no agent gets them.",
      ),
    hosts: z
      .array(
        z.string().refine(isHostName, {
          error:
            "write the whole name of a host in small letters, such as api.example.com; no address, port or path",
        }),
      )
      .prefault([])
      .describe("Hosts that it may reach by HTTPS; none when left out."),
    readable: z
      .array(absolutePath())
      .prefault([])
      .describe(
        "Absolute paths that it may read besides the system's programs, such as the directory of its code.",
      ),
    url: z
      .string()
      .refine(isAllowedUrl, {
        error:
          "write an https address without a user name or password; http only to 127.0.0.1, [::1] or localhost",
      })
      .optional()
      .describe("Address of a server that is reached over the network instead, by HTTPS."),
    header: z
      .strictObject({
        name: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, {
            error: "write the name of a header, such as Authorization",
          })
          .describe("Name of the header."),
        value_env: variable().describe("Name of the environment variable that holds its whole value."),
      })
      .optional()
      .describe("A header that each request to `url` carries."),
    tools: z
      .array(z.string())
      .min(1)
      .max(MOST_TOOLS)
      .describe("The server's tools that agents may call; its other tools do not exist for them."),
  })
  .superRefine(({ command, url, header, env, hosts, readable }, context) => {
    const add = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if ((command === undefined) === (url === undefined))
      add(command === undefined ? "command" : "url", "write either command or url");
    if (url === undefined && header !== undefined) add("header", "goes with url; take it out");
    if (url !== undefined) {
      if (Object.keys(env).length > 0) add("env", "goes with command; take it out");
      if (hosts.length > 0) add("hosts", "goes with command; take it out");
      if (readable.length > 0) add("readable", "goes with command; take it out");
    }
  })
  .meta({ oneOf: [{ required: ["command"] }, { required: ["url"] }] });

function isAllowedUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return (
    protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname))
  );
}

const serverName = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, {
  error: "write a server's name in lower case, such as docs: at most 30 letters, digits and hyphens",
});

export const mcpServers = setting(
  "mcp_servers",
  z.record(serverName, serverSchema).superRefine((servers, context) => {
    for (const [server, { tools }] of Object.entries(servers))
      for (const [index, tool] of tools.entries()) {
        const fault = toolNameFault(server, tool, tools.indexOf(tool) !== index);
        if (fault !== null)
          context.addIssue({ code: "custom", path: [server, "tools", index], message: fault });
      }
  }),
  {
    description:
      "MCP servers by name. An agent gets the tools of those that its role file names in `mcp_servers`, as `<server>__<tool>`.",
    default: {},
  },
);

export type McpServer = z.output<typeof serverSchema>;

/** Returns the names of the tools that agents may call, by server, in the order of the configuration. */
export function toolsOfServers(
  servers: Readonly<Record<string, Pick<McpServer, "tools">>>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(servers).map(([server, { tools }]) => [
      server,
      tools.map((tool) => mcpToolName(server, tool)),
    ]),
  );
}
