import type { Settings } from "../../../src/domain/settings/settings.ts";
import { aRole } from "../../factories/a-role.ts";
import { createFakeMcpServers, type FakeMcpServers, type FakeServer } from "../../fakes/mcp-servers.ts";
import { aRig, type Rig } from "../rig.ts";
import { type Conversation, on, work } from "../scripts.ts";

/** A tool as a well-behaved server lists it. */
export const SEARCH = {
  name: "search",
  description: "Searches the docs.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};

/** A rig whose coder may call `docs__search` and `docs__read`, with a server named docs as given. */
export async function withServers(
  servers: Readonly<Record<string, FakeServer>>,
  options: {
    readonly script?: readonly Conversation[];
    readonly settings?: Partial<Settings>;
    readonly mcpTools?: readonly string[];
    readonly delimiters?: boolean;
  } = {},
): Promise<{ readonly rig: Rig; readonly servers: FakeMcpServers }> {
  const { script = [on(1, ...work)], settings, mcpTools = ["docs__search", "docs__read"] } = options;
  const fake = createFakeMcpServers(servers);
  const role = aRole({ mcpTools });
  const rig = await aRig({
    script,
    delimiters: options.delimiters ?? false,
    settings: { roles: new Map([[role.name, role]]), ...settings },
    wrapped: (given) => ({ ...given, mcpServers: fake }),
  });
  return { rig, servers: fake };
}
