import { describe, expect, test } from "vitest";
import { faultsOf, load } from "./workplace.ts";

const PRESETS = [
  { name: "claude", api: "anthropic", gate: "permission" },
  { name: "codex", api: "responses", gate: "hook" },
] as const;
const PROVIDERS = `
providers:
  anthropic: { type: anthropic, base_url: "https://api.anthropic.example", api_key_env: ANTHROPIC_KEY }
  openai: { type: openai, wire_api: responses, base_url: "https://api.openai.example/v1", api_key_env: OPENAI_KEY }
  chat: { type: openai, base_url: "https://chat.example/v1", api_key_env: OPENAI_KEY }
  google: { type: gemini, base_url: "https://google.example", api_key_env: OPENAI_KEY }
`;
const HEAD = `sandbox: { mode: none }\n${PROVIDERS}`;
const env = {
  ANTHROPIC_KEY: "anthropic-key-0123",
  OPENAI_KEY: "openai-key-012345",
  MODEL_API_KEY: undefined,
};
const given = { env, declared: { presets: PRESETS } };
const faults = (yaml: string, files = {}) => faultsOf(`${HEAD}${yaml}`, { ...given, files });
const CLAUDE =
  "runtime: { use: claude }\nruntimes: { claude: { preset: claude, models: [anthropic/sonnet] } }";
const role = (front: string, tools = "[read]") =>
  `---\ndescription: Fixes.\ntools: ${tools}\n${front}\n---\nYou fix.\n`;

describe("which agent and which model works", () => {
  test("needs neither runtime.provider nor an own account where another runtime does all work", () => {
    const { config } = load(`${HEAD}${CLAUDE}`, given);
    expect(config.secrets.providers.get("anthropic")).toMatchObject({
      baseUrl: "https://api.anthropic.example",
      apiKey: "anthropic-key-0123",
    });
    expect([config.secrets.provider, config.secrets.accountKey]).toEqual([undefined, undefined]);
    expect(JSON.stringify(config)).not.toContain("anthropic-key-0123");
  });

  test("copilot without a provider needs its token, as soon as a role, a label or the default names it", () => {
    const missing = [
      "config.yaml: runtime.provider: is missing and COPILOT_GITHUB_TOKEN is not set; configure a provider with your own key, or set that variable to a token of GitHub Copilot.",
    ];
    expect(faults("")).toEqual(missing);
    expect(faults(`${CLAUDE}\nruntime_labels: { "agent:own": copilot }`)).toEqual(missing);
    const files = { "config/roles/triage.md": role("runtime: copilot") };
    expect(faults(CLAUDE, files)).toEqual(missing);
    const ownModels = { "config/roles/triage.md": role("runtime: copilot\nmodel: chat/gpt-5") };
    expect(faults(CLAUDE, ownModels)).toEqual([]);
  });

  test("every fault is told at once, each with its path and the nearest name", () => {
    const yaml = `
runtime: { use: claud }
runtimes:
  claude: { preset: clade, models: [antropic/sonnet, openai/gpt-6] }
  codex: { preset: codex, models: [openai/gpt-6, anthropic/sonnet] }
  gem: { command: [/opt/gem], speaks: gemini, models: [openai/gpt-6] }
runtime_labels: { "agent:codex": codx }
`;
    expect(faults(yaml, { "config/roles/triage.md": role("runtime: codes\nmodels: [gpt-4]") })).toEqual([
      'config.yaml: runtime.use: there is no runtime "claud". Did you mean "claude"?',
      'config.yaml: runtimes.claude.preset: there is no preset "clade". Did you mean "claude"?',
      'config.yaml: runtime_labels.agent:codex: there is no runtime "codx". Did you mean "codex"?',
      'config/roles/triage.md: runtime: there is no runtime "codes". Did you mean "codex"?',
      'config.yaml: runtimes.claude.models[0]: there is no provider "antropic" in providers. Did you mean "anthropic"?',
      "config.yaml: runtimes.codex.models: all models of a list must use the same API, but openai/gpt-6 uses OpenAI's responses API and anthropic/sonnet Anthropic's messages API; take one of them out.",
      "config.yaml: runtimes.gem.models[0]: gem uses Gemini's API, but providers.openai is set to OpenAI's responses API; name a model of another provider, or use another runtime.",
    ]);
  });

  test.each([
    [
      "claude: { preset: claude, models: [openai/gpt-6] }",
      "runtimes.claude.models[0]: claude uses Anthropic's messages API, but providers.openai is set to",
    ],
    [
      "codex: { preset: codex, models: [chat/gpt-6] }",
      "providers.chat is set to OpenAI's chat completions API; set providers.chat.wire_api to `responses`, or",
    ],
    [
      "claude: { preset: claude }",
      "runtimes.claude.models: gpt-4.1 needs runtime.provider, which is not set",
    ],
    ["claude: { preset: claude, models: [anthropic/] }", "names no model; write `anthropic/<model>`"],
    ["claude: { preset: claude, models: [sonnet] }", "sonnet needs runtime.provider, which is not set"],
    ["claude: { preset: claude, models: [anthropic/a, anthropic/a] }", "models[1]: is listed twice"],
    [
      "claude: { preset: claude, models: [anthropic/a], gate: none }",
      "runtimes.claude.gate: belongs to command",
    ],
    ["claude: { preset: claude, command: [x] }", "runtimes.claude.command: write either preset or command"],
    ["claude: {}", "runtimes.claude.preset: write either preset or command"],
    ["copilot: { preset: claude }", "is the name of the built-in runtime"],
    [
      "mine: { command: [x], models: [chat/a], env: { A: '{keys}' } }",
      "may have only {gateway}, {key}, {model}, {state} in braces",
    ],
    [
      "mine: { command: [x], models: [chat/a], env: { OPENAI_KEY: secret } }",
      "runtimes.mine.env.OPENAI_KEY: is the variable with a provider's key",
    ],
  ])("%s is refused", (runtimes, fault) => {
    const yaml = `runtimes:\n  ${runtimes}\n${"runtime: { use: other }".replace("other", "copilot")}`;
    const told = faults(yaml, {}).filter((one) => !one.includes("COPILOT_GITHUB_TOKEN"));
    expect(told).toEqual([expect.stringContaining(fault)]);
  });

  test("a program of the operator may speak any API, and needs its models as the others do", () => {
    expect(faults("runtime: { use: mine }\nruntimes: { mine: { command: [/opt/mine] } }")).toEqual([
      expect.stringContaining("runtimes.mine.models: gpt-4.1 needs runtime.provider, which is not set"),
    ]);
    expect(
      faults(`runtime: { use: mine }
runtimes: { mine: { command: [/opt/mine], models: [google/a], gate: permission }, other: { command: [/opt/other], speaks: openai, models: [chat/a, chat/b] } }`),
    ).toEqual([]);
  });

  test("tools that ask nobody are only for roles with a shell", () => {
    const yaml =
      "runtime: { use: mine }\nruntimes: { mine: { command: [/opt/mine], models: [chat/a], gate: none } }";
    const told = faults(yaml);
    expect(told).toEqual([
      expect.stringMatching(
        /^config\.yaml: runtimes\.mine\.gate: with `none`, the runtime uses its own tools without asking, so only a role with `shell` may have it, and triage.* would; write `permission`, or name another runtime in the role file\.$/,
      ),
    ]);
    expect(told[0]).not.toContain("feat-dev");
  });

  test("a program that is kept to its role by files in the sandbox needs the sandbox", () => {
    const yaml = "runtime: { use: own }\nruntimes: { own: { preset: codex, models: [openai/gpt-6] } }";
    const [claude, codex] = PRESETS;
    const kept = { ...given, declared: { presets: [claude, { ...codex, etc: () => ({}) }] } };
    expect(faultsOf(`${HEAD}${yaml}`, kept)).toEqual([
      "config.yaml: runtimes.own: codex works only in the sandbox, because Flotilla can put its hook nowhere else; write `sandbox: { mode: bubblewrap }`, or take this runtime out.",
    ]);
    expect(faultsOf(`${PROVIDERS}${yaml}`, kept)).toEqual([]);
  });

  test("the built-in runtime does not speak Gemini, and its own account has no model that stands in", () => {
    const google = `runtime: { provider: { type: gemini, base_url: "https://google.example", api_key_env: OPENAI_KEY } }`;
    expect(faults(google)).toEqual([
      "config.yaml: runtime.model: copilot uses OpenAI's chat completions API, OpenAI's responses API, Anthropic's messages API, or Azure's API, but runtime.provider is set to Gemini's API; name a model of another provider, or use another runtime.",
    ]);
    const two = { "config/roles/triage.md": role("models: [gpt-5, gpt-4.1]") };
    expect(
      faultsOf(HEAD, { ...given, env: { ...env, COPILOT_GITHUB_TOKEN: "token-0123456789" }, files: two }),
    ).toEqual([
      "config/roles/triage.md: models: Copilot's own account takes one model; write one, or write each as `<provider>/<model>` with a provider of `providers`.",
    ]);
  });

  test("a role file names its models once, and of its runtime's API", () => {
    const twice = { "config/roles/triage.md": role("model: a\nmodels: [b]") };
    expect(faults(CLAUDE, twice)).toEqual([
      "config/roles/triage.md: models: stands beside model; write one of the two.",
    ]);
    const other = { "config/roles/triage.md": role("models: [anthropic/a, openai/b]") };
    expect(faults(CLAUDE, other)).toEqual([
      expect.stringContaining(
        "config/roles/triage.md: models: all models of a list must use the same API, but anthropic/a uses",
      ),
    ]);
    const wrong = { "config/roles/triage.md": role("model: openai/b") };
    expect(faults(CLAUDE, wrong)).toEqual([
      expect.stringContaining("config/roles/triage.md: model: claude uses"),
    ]);
    const sound = { "config/roles/triage.md": role("models: [anthropic/a, anthropic/b]") };
    expect(load(`${HEAD}${CLAUDE}`, { ...given, files: sound }).config.roles.get("triage")).toMatchObject({
      runtime: undefined,
      model: "anthropic/a",
      otherModels: ["anthropic/b"],
    });
  });

  test("a temperature needs a provider, whichever runtime the role has", () => {
    const warm = { "config/roles/triage.md": role("temperature: 0.2") };
    expect(faults(CLAUDE, warm)).toEqual([]);
    const own = { "config/roles/triage.md": role("temperature: 0.2\nruntime: copilot") };
    const told = faultsOf(`${HEAD}${CLAUDE}`, {
      ...given,
      env: { ...env, COPILOT_GITHUB_TOKEN: "token-0123456789" },
      files: own,
    });
    expect(told).toEqual([expect.stringContaining("triage.md: temperature: works only with")]);
  });

  test("each provider needs its key where agents run, also beside a faulty section", () => {
    const unset = { ...given, env: { ...env, ANTHROPIC_KEY: undefined } };
    const missing =
      "config.yaml: providers.anthropic.api_key_env: the environment variable ANTHROPIC_KEY is not set; set it to the provider's key.";
    expect(faultsOf(`${HEAD}${CLAUDE}`, unset)).toEqual([missing]);
    expect(faultsOf(`${HEAD}${CLAUDE}\nruntime_labels: { "agent:x": 3 }`, unset)).toContain(missing);
  });

  test("a model that some start may choose needs its price under a cost limit", () => {
    const limit = "circuit_breakers: { defaults: { max_cost_usd: 5 } }";
    expect(faults(`${CLAUDE}\n${limit}`)).toEqual([
      expect.stringMatching(
        /runtime\.prices: the model sonnet \(.*\) has no price, so circuit_breakers\.defaults\.max_cost_usd/,
      ),
    ]);
    const priced = CLAUDE.replace(
      "use: claude",
      "use: claude, prices: { sonnet: { in: 2, cached: 1, out: 8 } }",
    );
    expect(faults(`${priced}\n${limit}`)).toEqual([]);
  });

  test("a label in other letters and the runtimes of roles reach the settings", () => {
    const files = { "config/roles/triage.md": role("runtime: codex") };
    const both = CLAUDE.replace(
      "[anthropic/sonnet] } }",
      "[anthropic/sonnet] }, codex: { preset: codex, models: [openai/gpt-6] } }",
    );
    const { config } = load(`${HEAD}${both}\nruntime_labels: { "agent:codex": codex }`, { ...given, files });
    expect(config.roles.get("triage")?.runtime).toBe("codex");
    expect(config.runtime.use).toBe("claude");
  });
});
