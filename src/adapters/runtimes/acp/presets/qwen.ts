import { join } from "node:path";
import type { RuntimeTool } from "../../../../domain/ports/agent-runtime.ts";
import { MCP_NAME, type Preset } from "../preset.ts";
import { edits, millisecondsAt, namesOf, reads, refused, runs, withoutPrefix } from "./known-tools.ts";

const tools: ReadonlyMap<string, RuntimeTool> = new Map([
  ["read_file", reads],
  ["list_directory", reads],
  ["grep_search", reads],
  ["glob", reads],
  ["edit", edits("file_path")],
  ["write_file", edits("file_path")],
  ["run_shell_command", runs("command", (args) => millisecondsAt(args, "timeout"))],
  ...[
    "agent",
    "ask_user_question",
    "cron_create",
    "cron_delete",
    "cron_list",
    "enter_plan_mode",
    "enter_worktree",
    "exit_plan_mode",
    "exit_worktree",
    "get_goal",
    "list_agents",
    "loop_wakeup",
    "monitor",
    "notebook_edit",
    "read_mcp_resource",
    "record_artifact",
    "report_findings",
    "save_memory",
    "send_message",
    "skill",
    "task_stop",
    "todo_write",
    "tool_search",
    "update_goal",
    "zoom_image",
  ].map((name): [string, RuntimeTool] => [name, refused]),
  ["web_fetch", { kind: "network", capability: null }],
]);

/** The instructions of a repository come with the prompt, as they were at the base commit: it reads no files of theirs. */
const ROLE = "flotilla-role.md";

export const qwen: Preset = {
  name: "qwen",
  title: "Qwen Code",
  package: { name: "@qwen-code/qwen-code", version: "0.24.4", megabytes: 152 },
  command: ({ packages, model, capabilities }) => ({
    file: process.execPath,
    args: [
      join(packages, "node_modules/@qwen-code/qwen-code/cli-entry.js"),
      "--acp",
      // A repository's own settings name servers, which would be started.
      "--allowed-mcp-server-names",
      MCP_NAME,
      "--auth-type",
      "openai",
      "-m",
      model,
      "--exclude-tools",
      namesOf(tools, capabilities, false).join(","),
    ],
  }),
  api: "completions",
  env: ({ gateway, key, model, state }) => ({
    OPENAI_BASE_URL: `${gateway}/v1`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
    QWEN_HOME: join(state, ".qwen"),
    QWEN_CODE_NO_RELAUNCH: "true",
    QWEN_CODE_SYSTEM_SETTINGS_PATH: join(state, "system.json"),
    // Else the first turn begins without our tools.
    QWEN_CODE_LEGACY_MCP_BLOCKING: "1",
  }),
  files: ({ capabilities, systemPrompt, sees }) => ({
    [`state/.qwen/${ROLE}`]: systemPrompt,
    "state/system.json": JSON.stringify({
      disableAllHooks: true,
      mcp: { allowed: [MCP_NAME] },
      // Else it asks nobody before tools that read, and before commands that it takes for reading.
      permissions: { ask: namesOf(tools, capabilities, true) },
    }),
    "state/.qwen/settings.json": JSON.stringify({
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      tools: { toolSearch: { enabled: false } },
      // Each costs model calls after each turn.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      ui: { enableFollowupSuggestions: false },
      context: { fileName: [ROLE] },
      model: { generationConfig: { modalities: { image: sees } } },
      security: { auth: { selectedType: "openai" } },
    }),
  }),
  tools,
  toolName: withoutPrefix(`mcp__${MCP_NAME}__`),
  gate: "permission",
  instructions: "file",
  auth: "openai",
  // Its own default lets a model decide about permissions, by billed calls.
  mode: "default",
  resume: "resume",
  callMs: 3_600_000,
  endsWithInput: true,
  losesPictures: true,
  conversation: {
    files: ["state/.qwen/projects/*/chats/{id}.jsonl"],
    resultOf: (id) => `"functionResponse":{"id":"${id}"`,
    portable: true,
  },
  cannot: [
    "It checks the arguments of tools itself: a call that does not fit the schema is corrected or refused before Flotilla sees it.",
    "It loses the pictures of earlier messages when it is started again.",
  ],
};
