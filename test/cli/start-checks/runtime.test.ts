import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PRESETS } from "../../../src/adapters/runtimes/acp/presets/presets.ts";
import { runtimeVersion } from "../../../src/adapters/runtimes/copilot/runtime-version.ts";
import { RuntimeError } from "../../../src/domain/kernel/errors.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { sentence } from "../../../src/server/start-checks/finding.ts";
import { logPrograms, programFindings, runtimeFindings } from "../../../src/server/start-checks/runtime.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";

/** The path of an executable in a package of this version. */
function installed(version: string): string {
  const root = mkdtempSync(join(tmpdir(), "flotilla-runtime-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, "prebuilds", "linux-x64");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ version }));
  return join(directory, "copilot-runtime");
}

function missing(): never {
  throw new RuntimeError("runtime_missing", "none is installed", {
    consequence: "tell",
    advice: "Install it.",
  });
}

const runtimeFaults = (read?: () => string) => runtimeFindings(someSettings(), read).faults;

test("the runtime that is installed here is new enough", () => {
  expect(runtimeFaults()).toEqual([]);
});

test.each([
  ["1.0.13", 1],
  ["1.0.9", 1],
  ["1.0.14", 0],
  ["1.1.0", 0],
])("a runtime %s has %i faults", (version, count) => {
  const faults = runtimeFaults(() => runtimeVersion(installed(version)));
  expect(faults).toHaveLength(count);
  for (const { what } of faults) expect(what).toBe(`is ${version}, older than 1.0.14`);
});

const MISSING = { about: "Copilot runtime", what: "none is installed", next: "Install it." };

test("a runtime that is missing is a fault with what to do", () => {
  expect(runtimeFaults(missing)).toEqual([MISSING]);
});

/** Work goes to another program, so that nothing names the built-in one. */
function elsewhere(more: Partial<Settings> = {}): Settings {
  const { runtime } = someSettings();
  const command = { command: ["/opt/mine"], models: ["acme/big"] };
  const use = { ...runtime, use: "mine", provider: undefined };
  return someSettings({ runtime: use, runtimes: { mine: command }, ...more });
}

test("the built-in runtime is demanded where work comes to it, and not where nothing names it", () => {
  const none = { faults: [], advice: [] };
  expect(runtimeFindings(elsewhere(), missing)).toEqual(none);
  const fault = { faults: [MISSING], advice: [] };
  const role = aRole({ runtime: "copilot" });
  expect(runtimeFindings(elsewhere({ roles: rolesOf(role) }), missing)).toEqual(fault);
  expect(runtimeFindings(elsewhere({ runtimeLabels: { "agent:own": "copilot" } }), missing)).toEqual(fault);
});

test("a built-in runtime that only a command could choose is advice where it is missing", () => {
  const { runtime } = elsewhere();
  const provider = {
    type: "openai",
    baseUrl: "http://127.0.0.1:9/v1",
    apiKeyEnv: "KEY",
    wireApi: "completions",
    maxPromptTokens: undefined,
  } as const;
  const settings = elsewhere({ runtime: { ...runtime, provider } });
  expect(runtimeFindings(settings, missing)).toEqual({ faults: [], advice: [MISSING] });
});

test("a program that is not installed, not the tried one, or not at its path, is named with what to do", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "flotilla-programs-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const tried = PRESETS.get("codex")?.package ?? { name: "", version: "" };
  const at = join(dataDir, "runtimes/codex/node_modules", tried.name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), '{ "version": "0.0.1" }');
  const runtimes = {
    claude: { preset: "claude" },
    clever: { preset: "codex" },
    mine: { command: ["/nowhere/mine", "--acp"] },
    node: { command: ["node"] },
  };
  const places = { dataDir, cwd: dataDir, path: "/nowhere" };
  expect(programFindings(someSettings({ runtimes }), places).map(sentence)).toEqual([
    "runtimes.claude: Claude Code is not installed: work for it waits. Run `flotilla runtimes add claude`.",
    `runtimes.clever: Codex was tested with ${tried.version}, installed is 0.0.1. Run \`flotilla runtimes add codex\`.`,
    "runtimes.mine: there is no /nowhere/mine: work for it waits. Install it, or correct runtimes.mine.command.",
  ]);
  const told: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void told.push(fields) };
  logPrograms(someSettings({ runtimes: { claude: runtimes.claude } }), places, log);
  expect(told).toEqual([
    {
      runtime: "runtimes.claude",
      reason: "Claude Code is not installed: work for it waits",
      advice: "Run `flotilla runtimes add claude`",
    },
  ]);
  writeFileSync(join(at, "package.json"), JSON.stringify({ version: tried.version }));
  const only = { clever: runtimes.clever, node: runtimes.node };
  expect(programFindings(someSettings({ runtimes: only }), places)).toEqual([]);
});
