import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentPlace } from "../../../../src/adapters/runtimes/acp/preset.ts";
import { PRESETS } from "../../../../src/adapters/runtimes/acp/presets/presets.ts";
import { environmentVariables } from "../../../../src/domain/settings/environment-variables.ts";
import { TOOL_NAMES } from "../../../../src/engine/tools/catalog.ts";

const PLACE: AgentPlace = {
  base: "/sessions/s1",
  state: "/sessions/s1/state",
  worktree: "/worktrees/s1",
  packages: "/data/runtimes/agent",
  gateway: "http://127.0.0.1:4021/model",
  mcp: "http://127.0.0.1:4021/mcp",
  gate: "http://127.0.0.1:4021/gate",
  hook: ["/usr/bin/node", "/flotilla/in side/hook.js", "http://127.0.0.1:4021/gate"],
  key: "the-stand-in",
  model: "some-model",
  sees: false,
  maxPromptTokens: 64_000,
  systemPrompt: "Role: contract.",
  capabilities: ["read", "edit", "shell"],
  tools: ["note"],
};

/** Everything that an agent is told at a place, as one text. */
const told = (name: string, place: AgentPlace): string => {
  const preset = PRESETS.get(name);
  return JSON.stringify([
    preset?.command(place),
    preset?.env(place),
    preset?.files(place),
    preset?.etc?.(place),
    preset?.meta?.(place),
  ]);
};

/** How the model of each agent writes the name of our tool `note`. */
const NAMES: Readonly<Record<string, string>> = {
  claude: "mcp__flotilla__note",
  codex: "mcp__flotilla/note",
  gemini: "mcp_flotilla_note",
  opencode: "flotilla_note",
  qwen: "mcp__flotilla__note",
};

it("there are five presets, each under its own name", () => {
  expect([...PRESETS.keys()].toSorted()).toEqual(Object.keys(NAMES));
  expect([...PRESETS].filter(([name, preset]) => preset.name !== name)).toEqual([]);
});

describe.each([...PRESETS])("the preset %s", (name, preset) => {
  it("pins one version of one package, and starts its program from there by an absolute path", () => {
    expect(preset.package?.version).toMatch(/^\d+\.\d+\.\d+$/);
    const { file, args } = preset.command(PLACE);
    const program = file === process.execPath ? args.find((word) => word.includes("node_modules")) : file;
    expect(program).toMatch(/^\/data\/runtimes\/agent\/node_modules\//);
  });

  it("asks the gateway alone, with the stand-in for a key", () => {
    const addresses = told(name, PLACE).match(/https?:\/\/[^"\\/]+/g) ?? [];
    expect(new Set(addresses)).toEqual(new Set(["http://127.0.0.1:4021"]));
    expect(told(name, PLACE)).toContain("http://127.0.0.1:4021/model");
    expect(told(name, PLACE)).toContain("the-stand-in");
    expect(told(name, PLACE)).toContain("some-model");
  });

  it("keeps all that it writes in the directories of the session", () => {
    const paths = [...Object.keys(preset.files(PLACE)), ...preset.conversation.files];
    expect(paths.filter((path) => path.startsWith("/") || path.includes(".."))).toEqual([]);
    expect(paths.filter((path) => !path.startsWith("state/"))).toEqual([]);
  });

  it("brings the role's instructions where it says", () => {
    const files = Object.values(preset.files(PLACE));
    expect(files.includes(PLACE.systemPrompt)).toBe(preset.instructions === "file");
  });

  it("has our names for our tools, and its own for its own", () => {
    expect(preset.toolName(NAMES[name] ?? "")).toBe("note");
    for (const own of preset.tools.keys()) expect(preset.toolName(own)).toBe(own);
    expect(TOOL_NAMES.filter((ours) => preset.tools.has(ours))).toEqual([]);
  });

  it("tells the command line of its shell, and the file of an edit", () => {
    const kinds = [...preset.tools.values()];
    const [shell] = kinds.filter(({ command }) => command !== undefined);
    expect(shell).toMatchObject({ kind: "shell", capability: "shell" });
    const line = { command: "npm test", cmd: "npm test" };
    expect(shell?.command?.(line)).toBe("npm test");
    expect(shell?.command?.({ command: 3 })).toBeNull();
    expect(shell?.command?.(null)).toBeNull();
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n*** End Patch";
    const edit = { file_path: "a.ts", filePath: "a.ts", input: patch };
    const editing = kinds.filter(({ capability }) => capability === "edit");
    expect(editing.length).toBeGreaterThan(0);
    for (const { paths } of editing) expect(paths?.(edit)).toEqual(["a.ts"]);
    for (const { paths } of editing) expect(paths?.({ file_path: 3 })).toEqual([]);
  });

  it("gives no role a tool that reaches the network", () => {
    expect(
      [...preset.tools.values()].filter(({ kind, capability }) => kind === "network" && capability),
    ).toEqual([]);
  });

  it("lets no repository set what it reads its settings from", () => {
    const settable = Object.keys(preset.env(PLACE)).filter(
      (variable) => environmentVariables().safeParse({ [variable]: "x" }).success,
    );
    expect(settable).toEqual([]);
  });

  it("says what it cannot do in three sentences at most", () => {
    expect(preset.cannot.length).toBeLessThanOrEqual(3);
    for (const sentence of preset.cannot) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

describe("a role without a shell", () => {
  const reader: AgentPlace = { ...PLACE, capabilities: ["read"] };

  it("is offered none by an agent that can be told so", () => {
    expect(PRESETS.get("claude")?.meta?.(reader)).toMatchObject({
      claudeCode: { options: { tools: ["Read", "Glob", "Grep"] } },
    });
    const config = JSON.parse(PRESETS.get("opencode")?.env(reader)["OPENCODE_CONFIG_CONTENT"] ?? "");
    expect(config.permission).toMatchObject({ "*": "ask", bash: "deny", edit: "deny", write: "deny" });
    expect(config.permission).not.toHaveProperty("read");
    const settings = JSON.parse(PRESETS.get("gemini")?.files(reader)["state/.gemini/settings.json"] ?? "");
    expect(settings.tools.exclude).toEqual(
      expect.arrayContaining(["run_shell_command", "write_file", "replace", "web_fetch"]),
    );
    expect(settings.tools.exclude).not.toContain("read_file");
    const excluded = PRESETS.get("qwen")?.command(reader).args.at(-1)?.split(",");
    expect(excluded).toEqual(expect.arrayContaining(["run_shell_command", "write_file", "edit", "monitor"]));
    expect(excluded).not.toContain("read_file");
  });

  it("has each tool again with its capability", () => {
    expect(told("opencode", PLACE)).not.toContain(String.raw`\"bash\":\"deny\"`);
    const settings = JSON.parse(PRESETS.get("gemini")?.files(PLACE)["state/.gemini/settings.json"] ?? "");
    expect(settings.tools.exclude).not.toContain("run_shell_command");
    expect(PRESETS.get("qwen")?.command(PLACE).args.at(-1)).not.toContain("run_shell_command");
  });
});

/** test/runtimes/own-tools.test.ts shows that the agents do as they are told. */
it("agents that ask nobody before what they take for harmless are told to ask before each tool of the role", () => {
  const reader: AgentPlace = { ...PLACE, capabilities: ["read"] };
  expect(PRESETS.get("claude")?.meta?.(reader)).toMatchObject({
    claudeCode: { options: { settings: { permissions: { ask: ["Read", "Glob", "Grep"] } } } },
  });
  const system = JSON.parse(PRESETS.get("qwen")?.files(PLACE)["state/system.json"] ?? "");
  expect(system.permissions.ask).toEqual(expect.arrayContaining(["read_file", "run_shell_command", "edit"]));
  const policy = PRESETS.get("gemini")?.files(reader)["state/.gemini/policies/flotilla.toml"];
  expect(policy).toBe(`[[rule]]
toolName = ["list_directory","read_file","grep_search","glob"]
argsPattern = "."
decision = "ask_user"
priority = 999
`);
});

/** Runs JavaScript as the preset's program is run: with its module that comes before all else. Returns what it prints. */
async function runGuarded(name: string, script: (place: AgentPlace) => string): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), "flotilla-guard-"));
  onTestFinished(() => rm(base, { recursive: true }));
  const place: AgentPlace = { ...PLACE, base, state: join(base, "state"), worktree: join(base, "worktree") };
  const preset = PRESETS.get(name);
  const files = {
    ...preset?.files(place),
    "worktree/.gemini/settings.json": "{",
    "worktree/.env": "GEMINI_SYSTEM_MD=1",
    "worktree/readme.md": "",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  }
  const [flag = "", guard = ""] = preset?.command(place).args ?? [];
  const main = join(base, "main.mjs");
  await writeFile(main, script(place));
  const { stdout } = await promisify(execFile)(process.execPath, [flag, guard, main]);
  return stdout.trim();
}

it("Gemini CLI finds its own settings, and none of a repository", async () => {
  const found = await runGuarded(
    "gemini",
    ({ state, worktree }) => `import { existsSync } from "node:fs";
      const paths = ${JSON.stringify([
        join(state, ".gemini/settings.json"),
        join(worktree, ".gemini/settings.json"),
        join(worktree, ".env"),
        join(worktree, "readme.md"),
      ])};
      console.log(paths.map((path) => existsSync(path)).join());`,
  );
  expect(found).toBe("true,false,false,true");
});

it("Codex is told that the repository is not trusted, and all else as it was", async () => {
  const said = await runGuarded(
    "codex",
    () => `import { spawn } from "node:child_process";
      const { stdin, stdout } = spawn("cat");
      stdout.pipe(process.stdout);
      stdin.write(JSON.stringify({ "/repo": { trust_level: "trusted" }, text: '"trust_level":"trusted"' }));
      stdin.end();`,
  );
  expect(JSON.parse(said)).toEqual({
    "/repo": { trust_level: "untrusted" },
    text: '"trust_level":"trusted"',
  });
});

it("opencode begins with the module that keeps a repository's plugins out", () => {
  const opencode = PRESETS.get("opencode");
  const path = opencode?.env(PLACE)["BUN_INSPECT_PRELOAD"];
  const files = Object.entries(opencode?.files(PLACE) ?? {});
  const module = files.find(([name]) => join(PLACE.base, name) === path);
  expect(module?.[1]).toContain("is not a part of opencode");
});

it("the hook of Codex has other names for the same tools", () => {
  const codex = PRESETS.get("codex");
  expect(codex?.toolName("mcp__flotilla__note")).toBe("note");
  expect(codex?.toolName("Bash")).toBe("exec_command");
  const shell = codex?.tools.get("exec_command");
  expect([shell?.command?.({ cmd: "ls" }), shell?.command?.({ command: "ls" })]).toEqual(["ls", "ls"]);
});

it("the hook of Codex is the command line that asks the gate, each word quoted", () => {
  const file = PRESETS.get("codex")?.etc?.(PLACE)["codex/requirements.toml"];
  expect(file).toContain(
    `command = "'/usr/bin/node' '/flotilla/in side/hook.js' 'http://127.0.0.1:4021/gate'"`,
  );
  expect(file).toContain('managed_dir = "/flotilla/in side"');
  expect(file).toContain('url = "http://127.0.0.1:4021/mcp"');
  expect(file).toContain("allow_managed_hooks_only = true");
});
