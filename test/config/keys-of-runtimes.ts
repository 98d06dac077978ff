import type { Config } from "../../src/config/load-config.ts";
import type { KeyInForce } from "./keys-in-force.ts";

const PRICES = "{ gpt-4.1: { in: 2, cached: 0.5, out: 8 }, sonnet: { in: 2, cached: 0.5, out: 8 } }";
const provider = (more = "") =>
  `providers: { acme: { type: anthropic, base_url: "https://api.acme.example", api_key_env: OTHER_KEY, ${more} } }`;
const priced = `runtime: { provider: { type: openai, base_url: "http://127.0.0.1:4010/v1", api_key_env: MODEL_API_KEY }, prices: ${PRICES} }`;
const acme = (config: Config) => config.secrets.providers.get("acme");

const runtime = (more: string) => `{ ${priced}, ${provider()}, runtimes: { mine: { ${more} } } }`;
const command = (more: string) => runtime(`command: [/opt/mine], models: [acme/sonnet], ${more}`);
const mine = (config: Config) => config.runtimes["mine"];

/** Keys that say which agent and which model works. */
export const RUNTIME_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "runtime.use",
    set: `{ ${priced.replace("{ ", "{ use: mine, ")}, runtimes: { mine: { command: [/opt/mine] } } }`,
    read: (c) => c.runtime.use,
    expected: "mine",
  },
  { key: "providers", set: provider(), read: (c) => Object.keys(c.providers), expected: ["acme"] },
  { key: "providers.*.type", set: provider(), read: (c) => acme(c)?.type, expected: "anthropic" },
  {
    key: "providers.*.base_url",
    set: provider(),
    read: (c) => acme(c)?.baseUrl,
    expected: "https://api.acme.example",
  },
  { key: "providers.*.api_key_env", set: provider(), read: (c) => acme(c)?.apiKey, expected: "other-key" },
  {
    key: "providers.*.wire_api",
    set: provider("wire_api: responses"),
    read: (c) => acme(c)?.wireApi,
    expected: "responses",
  },
  {
    key: "providers.*.max_prompt_tokens",
    set: provider("max_prompt_tokens: 200000"),
    read: (c) => acme(c)?.maxPromptTokens,
    expected: 200_000,
  },
  { key: "runtimes", set: command(""), read: (c) => Object.keys(c.runtimes), expected: ["mine"] },
  {
    key: "runtimes.*.preset",
    set: runtime("preset: claude, models: [acme/sonnet]"),
    read: (c) => mine(c)?.preset,
    expected: "claude",
  },
  { key: "runtimes.*.command", set: command(""), read: (c) => mine(c)?.command, expected: ["/opt/mine"] },
  {
    key: "runtimes.*.speaks",
    set: command("speaks: anthropic"),
    read: (c) => mine(c)?.speaks,
    expected: "anthropic",
  },
  { key: "runtimes.*.models", set: command(""), read: (c) => mine(c)?.models, expected: ["acme/sonnet"] },
  {
    key: "runtimes.*.effort",
    set: command("effort: high"),
    read: (c) => mine(c)?.effort,
    expected: "high",
  },
  {
    key: "runtimes.*.env",
    set: command('env: { MINE_URL: "{gateway}/v1" }'),
    read: (c) => mine(c)?.env,
    expected: { MINE_URL: "{gateway}/v1" },
  },
  ...(["read", "edit", "shell"] as const).map(
    (kind): KeyInForce => ({
      key: `runtimes.*.tools.${kind}`,
      set: command(`tools: { ${kind}: [one] }`),
      read: (c) => mine(c)?.tools?.[kind],
      expected: ["one"],
    }),
  ),
  {
    key: "runtimes.*.gate",
    set: command("gate: hook"),
    read: (c) => mine(c)?.gate,
    expected: "hook",
  },
  {
    key: "runtime_labels",
    set: "runtime_labels: { agent:own: copilot }",
    read: (c) => c.runtimeLabels,
    expected: { "agent:own": "copilot" },
  },
  { key: "review.differ", set: "review: { differ: true }", read: (c) => c.review.differ, expected: true },
];
