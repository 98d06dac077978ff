import { mkdirSync, symlinkSync } from "node:fs";
import { agentDirectory } from "../../src/adapters/runtimes/acp/installed.ts";
import { PRESETS } from "../../src/adapters/runtimes/acp/presets/presets.ts";
import { MODELS, PRICES, refusedHour } from "../journeys/refused-hour.ts";
import { KEPT, testedPresets } from "./install-agents.ts";
import { shellCall } from "./start-agent.ts";

/** How a provider of each API is configured, and where the API begins. */
const APIS = {
  completions: { provider: { type: "openai" }, path: "/v1" },
  responses: { provider: { type: "openai", wire_api: "responses" }, path: "/v1" },
  anthropic: { provider: { type: "anthropic" }, path: "" },
  gemini: { provider: { type: "gemini" }, path: "" },
} as const;

/** One of them: the gateway, which knows whom to ask, is the same for all. */
const [preset = PRESETS.get("claude")] = testedPresets();
if (preset === undefined) throw new Error("there is no preset");

refusedHour({
  runtime: preset.name,
  ...APIS[preset.api],
  config: {
    runtimes: { [preset.name]: { preset: preset.name, models: MODELS } },
    runtime: { use: preset.name, prices: { ...PRICES, "gpt-4.1": PRICES.big } },
  },
  prepare(dataDir) {
    mkdirSync(dataDir, { mode: 0o700 });
    symlinkSync(agentDirectory(KEPT, ""), agentDirectory(dataDir, ""));
    return {};
  },
  shell: (command) => shellCall(preset.name, command),
  saysWhen: true,
});
