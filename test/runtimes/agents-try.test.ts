import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agents } from "../../src/cli/commands/agents.ts";
import { SOUND_ENV, workplace } from "../config/workplace.ts";
import { packagesOf, testedPresets } from "./install-agents.ts";

const PROVIDERS = {
  completions: "{ type: openai, wire_api: completions, ",
  responses: "{ type: openai, wire_api: responses, ",
  anthropic: "{ type: anthropic, ",
  gemini: "{ type: gemini, ",
} as const;

test.for(testedPresets())(
  "`flotilla agents try feat-dev` runs one turn of $name, in the sandbox and at the price of its model",
  { timeout: 180_000 },
  async (preset) => {
    const cwd = workplace({
      "config.yaml": `
providers: { acme: ${PROVIDERS[preset.api]}base_url: "https://acme.example/v1", api_key_env: MODEL_API_KEY } }
runtime: { use: ${preset.name}, prices: { big: { in: 30, cached: 3, out: 60 } } }
runtimes: { ${preset.name}: { preset: ${preset.name}, models: [acme/big] } }
`,
    });
    mkdirSync(join(cwd, "data/runtimes"), { recursive: true });
    symlinkSync(packagesOf(preset), join(cwd, "data/runtimes", preset.name));
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const code = await agents.run({
      env: { ...SOUND_ENV, PATH: process.env["PATH"] ?? "" },
      cwd,
      args: ["try", "feat-dev"],
      options: { json: true },
      print,
      complain: print,
    });
    const [line = ""] = lines;
    const told = JSON.parse(line);
    expect(told).toMatchObject({
      role: "feat-dev",
      runtime: preset.name,
      model: "acme/big",
      good: true,
      end: "idle",
      called: true,
      started: [],
    });
    const { inputTokens, outputTokens } = told.used;
    expect(told.costMicroUsd).toBe(inputTokens * 30 + outputTokens * 60);
    expect(inputTokens).toBeGreaterThan(5000);
    expect(code).toBe(0);
  },
);
