import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isLoopback } from "../../http/own-hosts.ts";
import { ownVersion } from "../../server/own-version.ts";
import type { Command } from "../command.ts";
import { apiClient } from "../mcp/api-client.ts";
import { toolServer } from "../mcp/serve-tools.ts";
import { toolsFor } from "../mcp/tools.ts";
import { refused } from "../refused.ts";

const ADDRESS = "http://127.0.0.1:3000";

export const mcp: Command = {
  name: "mcp",
  summary: "serve your own agent tools that ask a running Flotilla and act in your name",
  usage: "flotilla mcp [--read-only]",
  details: [
    "An MCP server on standard input and output, for Claude Code, Codex, VS Code and other programs that start one: see docs/programs.md. It calls the API of a running Flotilla, on this machine or another, so that the same rules and permissions hold as for you.",
    `FLOTILLA_URL is the address of that Flotilla; the default is ${ADDRESS}. FLOTILLA_TOKEN is your token: make one at /token of the page, after you have signed in with GitHub. The operator may use DASHBOARD_TOKEN's value. A token is taken from the environment alone, because others on this machine can see arguments.`,
  ],
  options: {
    "read-only": { type: "boolean", says: "only tools that read" },
  },
  examples: ["FLOTILLA_URL=https://flotilla.example.com flotilla mcp", "flotilla mcp --read-only"],
  async run(context) {
    const { args, env, options } = context;
    if (args.length > 0) return refused(context, "Run `flotilla mcp [--read-only]`.");
    const token = env["FLOTILLA_TOKEN"] ?? "";
    if (!/^[\x21-\x7e]+$/.test(token))
      return refused(
        context,
        "FLOTILLA_TOKEN is not set, or is no token.",
        "Make a token at /token of Flotilla's page, and set FLOTILLA_TOKEN to it for this command.",
        "permission_denied",
      );
    const address = env["FLOTILLA_URL"] || ADDRESS;
    const why = addressFault(address);
    if (why !== null) return refused(context, `FLOTILLA_URL ${why}`, `Write an address such as ${ADDRESS}.`);
    const tools = toolsFor({ readOnly: options["read-only"] === true });
    const served = serveStdio(() => toolServer(tools, apiClient(address, token), ownVersion()));
    // A pipe that breaks closes without an end, and a file ends without a close.
    await Promise.race([once(process.stdin, "end"), once(process.stdin, "close")]);
    await served.close();
    return 0;
  },
};

/** A token is sent in the clear to this machine alone. */
function addressFault(text: string): string | null {
  if (!URL.canParse(text)) return "is no address.";
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    return "has a user name, a password, a query or a fragment.";
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname.replace(/^\[|\]$/g, ""))))
    return null;
  return "would send the token in the clear: it needs https, except on this machine.";
}
