import { join } from "node:path";
import type { RuntimeTool } from "../../../../domain/ports/agent-runtime.ts";
import { MCP_NAME, type Preset } from "../preset.ts";
import {
  edits,
  millisecondsAt,
  namesOf,
  reads,
  refused,
  runs,
  tendsShells,
  withoutPrefix,
} from "./known-tools.ts";

const tools: ReadonlyMap<string, RuntimeTool> = new Map([
  ["Read", reads],
  ["Glob", reads],
  ["Grep", reads],
  ["Edit", edits("file_path")],
  ["Write", edits("file_path")],
  ["Bash", runs("command", (args) => millisecondsAt(args, "timeout"))],
  ["TaskOutput", tendsShells],
  ["TaskStop", tendsShells],
  ["NotebookEdit", refused],
  ["Agent", refused],
  ["Task", refused],
  ["Skill", refused],
  ["TodoWrite", refused],
  ["ToolSearch", refused],
  ["AskUserQuestion", refused],
  ["WebFetch", { kind: "network", capability: null }],
  ["WebSearch", { kind: "network", capability: null }],
]);

export const claude: Preset = {
  name: "claude",
  title: "Claude Code",
  package: { name: "@agentclientprotocol/claude-agent-acp", version: "0.101.0", megabytes: 402 },
  command: ({ packages }) => ({
    file: process.execPath,
    args: [join(packages, "node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js")],
  }),
  api: "anthropic",
  env: ({ gateway, key, model, state }) => ({
    ANTHROPIC_BASE_URL: gateway,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_SMALL_FAST_MODEL: model,
    CLAUDE_CONFIG_DIR: join(state, "claude"),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
    DISABLE_AUTOUPDATER: "1",
    // It may run as root in a container: our sandbox is what confines it.
    IS_SANDBOX: "1",
    // Else our tools stand behind a search.
    ENABLE_TOOL_SEARCH: "false",
    MCP_TOOL_TIMEOUT: "3600000",
  }),
  files: () => ({}),
  tools,
  toolName: withoutPrefix(`mcp__${MCP_NAME}__`),
  gate: "permission",
  instructions: "systemPrompt",
  // Its own default lets a model decide about permissions, by billed calls.
  mode: "default",
  meta: ({ capabilities }) => ({
    claudeCode: {
      options: {
        // A repository's own settings start programs.
        settingSources: [],
        tools: namesOf(tools, capabilities, true),
        // Ours are gated where they run.
        allowedTools: [`mcp__${MCP_NAME}`],
        // Else it asks nobody before tools that read, and before commands that it takes for reading.
        settings: { permissions: { ask: namesOf(tools, capabilities, true) } },
        skills: [],
        promptSuggestions: false,
      },
    },
  }),
  resume: "resume",
  callMs: 3_600_000,
  endsWithInput: true,
  conversation: {
    files: ["state/claude/projects/*/{id}.jsonl"],
    resultOf: (id) => `"tool_use_id":"${id}"`,
    portable: true,
  },
  cannot: [],
};
