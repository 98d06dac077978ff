import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AgentPlace } from "../../../../src/adapters/runtimes/acp/preset.ts";
import { commandPreset } from "../../../../src/adapters/runtimes/acp/presets/command-preset.ts";

function ground(): string {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-command-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, "agents"));
  writeFileSync(join(cwd, "agents/mine.mjs"), "");
  return cwd;
}
const of = (command: readonly string[], more = {}, cwd = ground()) =>
  commandPreset("mine", { command, ...more }, { api: "completions", cwd, path: join(cwd, "agents") });
const PLACE: AgentPlace = {
  base: "/b",
  worktree: "/w",
  packages: "",
  gate: "http://127.0.0.1:9/gate",
  mcp: "http://127.0.0.1:9/mcp",
  hook: [],
  maxPromptTokens: undefined,
  capabilities: [],
  tools: [],
  gateway: "http://127.0.0.1:9/model",
  key: "stand-in",
  model: "m",
  sees: false,
  state: "/s",
  systemPrompt: "You fix.",
};

test("a program runs from where it lies, with its files and directory shown", () => {
  const cwd = ground();
  const preset = of(["node", "agents/mine.mjs", "--acp", "a/b"], {}, cwd);
  const script = join(cwd, "agents/mine.mjs");
  expect(preset.command()).toEqual({ file: process.execPath, args: [script, "--acp", "a/b"] });
  expect(preset.readable).toContain(join(cwd, "agents"));
  expect(of(["mine.mjs"], {}, cwd).command().file).toBe(script);
  expect(of(["./agents/mine.mjs"], {}, cwd).command().file).toBe(script);
  expect(of(["/opt/mine"], {}, cwd).command().file).toBe("/opt/mine");
});

test("its variables have what stands for the provider, and its role lies in its state", () => {
  const preset = of(["/opt/mine"], {
    env: { URL: "{gateway}/v1", KEY: "{key}", BOTH: "{model} {state} {model}" },
  });
  expect(preset.env(PLACE)).toEqual({ URL: "http://127.0.0.1:9/model/v1", KEY: "stand-in", BOTH: "m /s m" });
  expect(preset.files(PLACE)).toEqual({ "state/role.md": "You fix." });
});

test("its tools are those that are named, and ours have their own names again", () => {
  const preset = of(["/opt/mine"], {
    tools: { read: ["cat"], edit: ["patch"], shell: ["sh"] },
  });
  expect([...preset.tools].map(([name, { kind, capability }]) => [name, kind, capability])).toEqual([
    ["cat", "read", "read"],
    ["patch", "edit", "edit"],
    ["sh", "shell", "shell"],
  ]);
  expect(preset.tools.get("sh")?.command?.({ command: "ls" })).toBe("ls");
  const raws = ["mcp__flotilla__note", "flotilla_note", "flotilla-note", "mcp_flotilla_note", "note"];
  expect(raws.map((raw) => preset.toolName(raw))).toEqual(raws.map(() => "note"));
  expect(preset.gate).toBe("permission");
});
