import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeTool } from "../../../../domain/ports/agent-runtime.ts";
import { type AgentPlace, MCP_NAME, type Preset } from "../preset.ts";
import { edits, millisecondsAt, namesOf, reads, refused, runs, withoutPrefix } from "./known-tools.ts";

const tools: ReadonlyMap<string, RuntimeTool> = new Map([
  ["read", reads],
  ["glob", reads],
  ["grep", reads],
  ["list", reads],
  ["edit", edits("filePath")],
  ["write", edits("filePath")],
  ["bash", runs("command", (args) => millisecondsAt(args, "timeout"))],
  ["task", refused],
  ["skill", refused],
  ["question", refused],
  ["todowrite", refused],
  ["todoread", refused],
  ["webfetch", { kind: "network", capability: null }],
  ["websearch", { kind: "network", capability: null }],
]);

/** It reads the files of these names from its state by way of `instructions`. */
const ROLE = "state/role.md";

/** Of its binaries, npm installs those for this system; the plain one needs AVX2 on an x64. */
function binary({ packages }: AgentPlace): string {
  const plain = `opencode-${process.platform}-${process.arch}`;
  const modern = process.arch !== "x64" || readFileSync("/proc/cpuinfo", "utf8").includes(" avx2");
  const names = [plain, `${plain}-musl`, `${plain}-baseline`, `${plain}-baseline-musl`];
  const paths = (modern ? names : names.toReversed()).map((name) =>
    join(packages, "node_modules", name, "bin/opencode"),
  );
  return paths.find((path) => existsSync(path)) ?? join(packages, "node_modules", plain, "bin/opencode");
}

/**
 * Runs in its program before all else, and lets it load no module but those inside its own binary: it would load the
 * plugins that a repository brings along, whatever its settings say. Programs that it starts are left alone.
 */
const OWN_MODULES = `delete process.env.BUN_INSPECT_PRELOAD;
Bun.plugin({
  name: "own modules",
  setup(build) {
    build.onLoad({ filter: /^(?!\\/\\$bunfs\\/)/ }, ({ path }) => {
      throw new Error(path + " is not a part of opencode");
    });
  },
});
`;
/** Where it lies below the base directory. */
const GUARD = "state/own-modules.js";

/** Rules for its permissions: the last one that fits a tool decides. Ours are gated where they run. */
function permissions({ capabilities }: AgentPlace): Record<string, string> {
  const denied = namesOf(tools, capabilities, false).map((name) => [name, "deny"]);
  return { "*": "ask", ...Object.fromEntries(denied), [`${MCP_NAME}_*`]: "allow" };
}

export const opencode: Preset = {
  name: "opencode",
  title: "opencode",
  package: { name: "opencode-ai", version: "1.18.33", megabytes: 354 },
  command: (place) => ({ file: binary(place), args: ["acp"] }),
  api: "completions",
  env: (place) => ({
    XDG_DATA_HOME: join(place.state, "data"),
    XDG_CONFIG_HOME: join(place.state, "config"),
    XDG_STATE_HOME: join(place.state, "state"),
    XDG_CACHE_HOME: join(place.state, "cache"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_PURE: "1",
    BUN_INSPECT_PRELOAD: join(place.base, GUARD),
    // A repository's own configuration starts programs.
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configOf(place)),
  }),
  files: ({ systemPrompt }) => ({ [ROLE]: systemPrompt, [GUARD]: OWN_MODULES }),
  tools,
  toolName: withoutPrefix(`${MCP_NAME}_`),
  gate: "permission",
  instructions: "file",
  resume: "resume",
  callMs: 3_600_000,
  endsWithInput: true,
  // A database: only whole, and on this disk.
  conversation: {
    files: ["state/data/opencode/opencode.db*"],
    // It reads the results from there before it sends them to its model.
    resultOf: (id) => `"callID":"${id}"`,
    portable: false,
  },
  cannot: [
    "Its conversations stay on the machine's disk. If the disk is lost, the agent continues with a handoff in place of its conversation.",
  ],
};

function configOf(place: AgentPlace) {
  const context = place.maxPromptTokens ?? 128_000;
  return {
    share: "disabled",
    autoupdate: false,
    model: `${MCP_NAME}/${place.model}`,
    small_model: `${MCP_NAME}/${place.model}`,
    enabled_providers: [MCP_NAME],
    permission: permissions(place),
    // Else it asks the model for a title of each conversation.
    agent: { title: { disable: true } },
    instructions: [join(place.base, ROLE)],
    // After a denial the model reads why, and goes on.
    experimental: { mcp_timeout: 3_600_000, continue_loop_on_deny: true },
    provider: {
      [MCP_NAME]: {
        npm: "@ai-sdk/openai-compatible",
        name: "Flotilla",
        options: { baseURL: `${place.gateway}/v1`, apiKey: place.key },
        models: {
          [place.model]: {
            name: place.model,
            limit: { context, output: 32_000 },
            attachment: place.sees,
            modalities: { input: place.sees ? ["text", "image"] : ["text"], output: ["text"] },
          },
        },
      },
    },
  };
}
