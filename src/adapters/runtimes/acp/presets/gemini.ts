import { join } from "node:path";
import type { RuntimeTool } from "../../../../domain/ports/agent-runtime.ts";
import { type AgentPlace, MCP_NAME, type Preset } from "../preset.ts";
import { edits, namesOf, reads, refused, runs, tendsShells, withoutPrefix } from "./known-tools.ts";

const tools: ReadonlyMap<string, RuntimeTool> = new Map([
  ["list_directory", reads],
  ["read_file", reads],
  ["grep_search", reads],
  ["glob", reads],
  ["replace", edits("file_path")],
  ["write_file", edits("file_path")],
  ["run_shell_command", runs("command")],
  ["list_background_processes", tendsShells],
  ["read_background_output", tendsShells],
  ["invoke_agent", refused],
  ["activate_skill", refused],
  ["enter_plan_mode", refused],
  ["exit_plan_mode", refused],
  ["update_topic", refused],
  ["ask_user", refused],
  ["write_todos", refused],
  ["save_memory", refused],
  ["web_fetch", { kind: "network", capability: null }],
  ["google_web_search", { kind: "network", capability: null }],
]);

/** Where it finds its own settings below the base directory. */
const SETTINGS = "state/.gemini/settings.json";
/** Where the program below lies. */
const GUARD = "state/own-settings.mjs";

/**
 * Runs in its program before all else, and lets it find no settings and no variables of a repository: it would not start
 * with faulty ones. Its tools and its shell see these files.
 */
function ownSettings({ base }: AgentPlace): string {
  return `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { existsSync } = fs;
const own = ${JSON.stringify(join(base, SETTINGS))};
fs.existsSync = (path) =>
  (path === own || !/\\/(?:\\.gemini\\/settings\\.json|\\.env)$/.test(path)) && existsSync(path);
syncBuiltinESMExports();
`;
}

export const gemini: Preset = {
  name: "gemini",
  title: "Gemini CLI",
  package: { name: "@google/gemini-cli", version: "0.61.0", megabytes: 100 },
  command: ({ base, packages, model }) => ({
    file: process.execPath,
    args: [
      "--import",
      join(base, GUARD),
      join(packages, "node_modules/@google/gemini-cli/bundle/gemini.js"),
      "--acp",
      "--skip-trust",
      // A repository's own settings name servers, which would be started.
      "--allowed-mcp-server-names",
      MCP_NAME,
      "-m",
      model,
    ],
  }),
  api: "gemini",
  env: ({ gateway, key, state }) => ({
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: gateway,
    GEMINI_CLI_HOME: state,
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
  }),
  files: (place) => ({
    [GUARD]: ownSettings(place),
    "state/.gemini/GEMINI.md": place.systemPrompt,
    // Else it asks nobody before tools that read; without a pattern, nor before commands that it takes for harmless.
    "state/.gemini/policies/flotilla.toml": `[[rule]]
toolName = ${JSON.stringify(namesOf(tools, place.capabilities, true))}
argsPattern = "."
decision = "ask_user"
priority = 999
`,
    [SETTINGS]: JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
      hooksConfig: { enabled: false },
      tools: { exclude: namesOf(tools, place.capabilities, false) },
    }),
  }),
  tools,
  toolName: withoutPrefix(`mcp_${MCP_NAME}_`),
  gate: "permission",
  instructions: "file",
  auth: "gemini-api-key",
  resume: "load",
  // It gives a call up then.
  callMs: 60_000,
  endsWithInput: true,
  takesBack: true,
  conversation: {
    files: ["state/.gemini/tmp/*/chats/*.jsonl"],
    // There the tool's name stands before the id. A call is written with its result.
    resultOf: (id) => `__${id}","name":"`,
    portable: true,
    // It begins a new file at each start, named by the minute, and empties one that has the name already.
    restsAs: (name) => name.replace(/^session-\d{4}-\d\d-\d\dT\d\d-\d\d-/, "session-0000-00-00T00-00-"),
  },
  cannot: [
    "It checks the arguments of tools itself: a call that does not fit the schema is corrected or refused before Flotilla sees it.",
  ],
};
