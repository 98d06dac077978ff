import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PRESETS } from "../../../src/adapters/runtimes/acp/presets/presets.ts";
import { DEFAULT_RUNTIME } from "../../../src/adapters/runtimes/registry.ts";
import { runtimes } from "../../../src/cli/commands/runtimes.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { SOUND_ENV, workplace } from "../../config/workplace.ts";

const YAML = `
sandbox: { mode: none }
providers: { acme: { type: anthropic, base_url: "https://acme.example", api_key_env: MODEL_API_KEY } }
runtime: { use: clever }
runtimes:
  clever: { preset: claude, models: [acme/big, acme/small] }
  mine: { command: [/opt/mine, --acp], models: [acme/small] }
`;

async function listed(yaml: string | null, options = {}) {
  const cwd = workplace(yaml === null ? {} : { "config.yaml": yaml });
  const there = join(cwd, "data/runtimes/claude/node_modules", PRESETS.get("claude")?.package?.name ?? "");
  await mkdir(there, { recursive: true });
  await writeFile(join(there, "package.json"), '{ "version": "0.0.1" }');
  const lines: string[] = [];
  const code = await runtimes.run({
    env: SOUND_ENV,
    cwd,
    args: ["list"],
    options,
    print: (line) => void lines.push(line),
    complain: () => {},
  });
  return { code, rows: lines.map((line) => line.trim().split(/ {2,}/)), text: lines.join("\n") };
}

test("shows the built-in one, those of the configuration with their models, and the agents that could be added", async () => {
  const tried = PRESETS.get("claude")?.package?.version;
  const own = DEFAULT_RUNTIME.version();
  const { code, rows } = await listed(YAML);
  expect(code).toBe(0);
  expect(rows.slice(0, 4)).toEqual([
    ["copilot", DEFAULT_RUNTIME.title, own, own, "not in the configuration"],
    ["clever", "claude", "0.0.1", tried, "acme/big, acme/small"],
    ["mine", "/opt/mine --acp", "-", "-", "acme/small"],
    ["codex", "codex", "no", PRESETS.get("codex")?.package?.version, "not in the configuration"],
  ]);
  expect(rows.map(([name]) => name)).not.toContain("claude");
});

test("needs no configuration, and prints the same as JSON", async () => {
  const { text } = await listed(null, { json: true });
  const names = JSON.parse(text).runtimes.map(({ name, configured }: Record<string, unknown>) => [
    name,
    configured,
  ]);
  expect(names).toEqual([["copilot", true], ...[...PRESETS.keys()].map((name) => [name, false])]);
});

test("says what is wrong with the configuration", async () => {
  await expect(listed("runtime: { use: clade }\nruntimes: { claude: { preset: claude } }")).rejects.toThrow(
    StartupRefused,
  );
});
