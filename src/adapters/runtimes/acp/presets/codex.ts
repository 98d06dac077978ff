import { dirname, join } from "node:path";
import type { RuntimeTool } from "../../../../domain/ports/agent-runtime.ts";
import { type AgentPlace, MCP_NAME, type Preset } from "../preset.ts";
import { edits, millisecondsAt, reads, refused, runs, tendsShells, withoutPrefix } from "./known-tools.ts";

const tools: ReadonlyMap<string, RuntimeTool> = new Map([
  ["view_image", reads],
  ["apply_patch", { ...edits("path"), paths: patchedPaths }],
  ["exec_command", runs(["cmd", "command"], (args) => millisecondsAt(args, "yield_time_ms"))],
  ["write_stdin", tendsShells],
  ["update_plan", refused],
  ["request_user_input", refused],
  ["list_mcp_resources", refused],
  ["list_mcp_resource_templates", refused],
  ["read_mcp_resource", refused],
  ["spawn_agent", refused],
  ["web_search", { kind: "network", capability: null }],
]);

/** The paths in the header lines of a patch, under whatever argument it comes. */
function patchedPaths(args: unknown): readonly string[] {
  const text = typeof args === "string" ? args : Object.values(Object(args)).join("\n");
  return [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(([, path = ""]) =>
    path.trim(),
  );
}

/** Its hook names tools otherwise than its model does. */
function toolName(raw: string): string {
  if (raw === "Bash") return "exec_command";
  return withoutPrefix(`mcp__${MCP_NAME}__`)(withoutPrefix(`mcp__${MCP_NAME}/`)(raw));
}

const CONFIG = `approval_policy = "on-request"
approvals_reviewer = "user"
web_search = "disabled"
project_doc_max_bytes = 0
default_permissions = "flotilla"
[permissions.flotilla.filesystem]
":root" = "write"
[permissions.flotilla.network]
enabled = true
[features]
multi_agent = false
goals = false
[skills]
include_instructions = false
[skills.bundled]
enabled = false
`;

/**
 * Runs in its program before all else. It tells the binary that it starts to trust the repository, whose settings would then
 * count, and faulty ones keep it from starting. This has it say the opposite.
 */
const UNTRUSTING = `import child from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
const { spawn } = child;
child.spawn = (...args) => {
  const started = spawn(...args);
  const write = started.stdin?.write.bind(started.stdin);
  if (write !== undefined)
    started.stdin.write = (text, ...rest) =>
      write(String(text).replaceAll('"trust_level":"trusted"', '"trust_level":"untrusted"'), ...rest);
  return started;
};
syncBuiltinESMExports();
`;
/** Where that lies below the base directory. */
const GUARD = "state/untrusting.mjs";

/**
 * The administrators' file, which only a sandbox can show it. Codex runs hooks from there alone, trusts our server alone, and so
 * starts no program that a repository names.
 */
function requirements({ hook, mcp }: AgentPlace): string {
  const [, program = "/"] = hook;
  return `allow_managed_hooks_only = true
[mcp_servers.${MCP_NAME}.identity]
url = ${JSON.stringify(mcp)}
[hooks]
managed_dir = ${JSON.stringify(dirname(program))}
[[hooks.PreToolUse]]
[[hooks.PreToolUse.hooks]]
type = "command"
command = ${JSON.stringify(hook.map(quoted).join(" "))}
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export const codex: Preset = {
  name: "codex",
  title: "Codex",
  package: { name: "@agentclientprotocol/codex-acp", version: "2.6.0", megabytes: 457 },
  command: ({ base, packages }) => ({
    file: process.execPath,
    args: [
      "--import",
      join(base, GUARD),
      join(packages, "node_modules/@agentclientprotocol/codex-acp/dist/index.js"),
    ],
  }),
  api: "responses",
  env: ({ gateway, key, model, state }) => ({
    CODEX_HOME: join(state, "codex"),
    NO_BROWSER: "1",
    MODEL_PROVIDER: MCP_NAME,
    FLOTILLA_KEY: key,
    // Its own sandbox cannot nest in ours, and its modes without one ask nobody. This profile, in the file below, has none and asks.
    INITIAL_AGENT_MODE: "permission-profile:flotilla",
    CODEX_CONFIG: JSON.stringify({
      model,
      model_provider: MCP_NAME,
      model_providers: {
        [MCP_NAME]: {
          name: "Flotilla",
          base_url: `${gateway}/v1`,
          env_key: "FLOTILLA_KEY",
          wire_api: "responses",
          requires_openai_auth: false,
        },
      },
    }),
  }),
  files: () => ({ [GUARD]: UNTRUSTING, "state/codex/config.toml": CONFIG }),
  etc: (place) => ({ "codex/requirements.toml": requirements(place) }),
  tools,
  toolName,
  gate: "hook",
  instructions: "systemPrompt",
  resume: "resume",
  callMs: 3_600_000,
  endsWithInput: false,
  // Beside the lines it keeps an index in a database, without which it does not find them.
  conversation: {
    files: ["state/codex/sessions/*/*/*/*{id}.jsonl"],
    resultOf: (id) => `"call_id":"${id}","output":`,
    portable: false,
  },
  cannot: [
    "It runs only in the sandbox, because Flotilla can put its hook nowhere else.",
    "It reads files with its shell alone, so a role without a shell reads none.",
    "Its conversations stay on the machine's disk. If the disk is lost, the agent continues with a handoff in place of its conversation.",
  ],
};
