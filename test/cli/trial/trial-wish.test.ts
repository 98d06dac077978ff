import { expect, test } from "vitest";
import {
  armsWished,
  commandsWished,
  roleWished,
  trialWish,
  unpricedModels,
} from "../../../src/cli/trial/trial-wish.ts";
import { defaultSettings } from "../../../src/config/default-settings.ts";
import type { Role } from "../../../src/domain/agents/role.ts";
import { configSchema } from "../../../src/domain/settings/config-schema.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { TOOL_NAMES } from "../../../src/engine/tools/catalog.ts";

const defaults = defaultSettings(import.meta.dirname, TOOL_NAMES);

const { runtime, runtimes, providers } = configSchema.parse({
  runtime: {
    provider: { type: "openai", base_url: "http://127.0.0.1:9/v1", api_key_env: "MODEL_API_KEY" },
    model: "gpt-4.1",
    models: ["gpt-5"],
    prices: { "gpt-4.1": { in: 2, cached: 0.5, out: 8 }, sonnet: { in: 3, cached: 0.3, out: 15 } },
  },
  runtimes: { claude: { preset: "claude", models: ["anthropic/sonnet"] } },
  providers: {
    anthropic: { type: "anthropic", base_url: "http://127.0.0.1:9", api_key_env: "ANTHROPIC_KEY" },
  },
});
const settings: Settings = { ...defaults, runtime, runtimes, providers };

function roleOf(name = "bug-fix"): Role {
  const role = settings.roles.get(name);
  if (role === undefined) throw new Error(`no role ${name}`);
  return role;
}

function wished(options: Record<string, string> = {}) {
  const wish = trialWish({ options });
  if ("what" in wish) throw new Error(wish.what);
  return wish;
}

const arms = (options: Record<string, string>) => armsWished(wished(options), roleOf(), settings);

test("without options twenty cases are tried by the role bug-fix as it is configured", () => {
  expect(wished()).toMatchObject({
    issues: 20,
    slots: 2,
    role: "bug-fix",
    out: "trial.jsonl",
    budget: undefined,
  });
  expect(arms({})).toEqual([{ agent: "copilot", model: "gpt-4.1" }]);
});

test.each([
  [{ issues: "0" }, "--issues takes"],
  [{ issues: "many" }, "--issues takes"],
  [{ slots: "33" }, "--slots takes"],
  [{ budget: "-1" }, "--budget takes"],
  [{ budget: "Infinity" }, "--budget takes"],
  [{ out: "trial.txt" }, "--out takes"],
])("%j is refused", (options, what) => {
  expect(trialWish({ options })).toMatchObject({ what: expect.stringContaining(what) });
});

test("each agent is tried with its own model, or with those that are named and that it may have", () => {
  expect(arms({ agent: "copilot, claude" })).toEqual([
    { agent: "copilot", model: "gpt-4.1" },
    { agent: "claude", model: "anthropic/sonnet" },
  ]);
  expect(arms({ agent: "copilot,claude,copilot", model: "gpt-4.1,gpt-5,anthropic/sonnet" })).toEqual([
    { agent: "copilot", model: "gpt-4.1" },
    { agent: "copilot", model: "gpt-5" },
    { agent: "claude", model: "anthropic/sonnet" },
  ]);
});

test.each([
  [{ agent: "qwen" }, 'There is no agent "qwen"'],
  [{ model: "gpt-6,gpt-4.1" }, 'No agent of this trial may have the model "gpt-6"'],
  [{ agent: "copilot,claude", model: "gpt-4.1" }, "The agent claude may have none"],
  [{ model: "gpt-5", budget: "5" }, "There is no price for gpt-5"],
])("%j is refused: %s", (options, what) => {
  expect(arms(options)).toMatchObject({ what: expect.stringContaining(what) });
});

test("a budget is kept by the price of the model, whatever its provider", () => {
  expect(arms({ agent: "claude", budget: "5" })).toHaveLength(1);
});

test("models without a price are named once", () => {
  const wanted = [
    { agent: "copilot", model: "gpt-5" },
    { agent: "other", model: "gpt-5" },
    { agent: "claude", model: "anthropic/sonnet" },
  ];
  expect(unpricedModels(wanted, settings)).toEqual(["gpt-5"]);
});

test("only a role that hands in code is tried", () => {
  expect(roleWished(wished({ role: "feat-dev" }), settings)).toMatchObject({ name: "feat-dev" });
  expect(roleWished(wished({ role: "reviewer" }), settings)).toMatchObject({
    what: expect.stringContaining("hands in no code"),
  });
  expect(roleWished(wished({ role: "cook" }), settings)).toMatchObject({ what: 'There is no role "cook".' });
});

test("commands that are typed go before those of the repository", () => {
  const there = {
    setup: { ...defaults.setup, commands: ["npm ci"] },
    evidence: { ...defaults.evidence, commands: ["npm test"] },
  };
  expect(commandsWished(wished(), there)).toEqual({ setup: ["npm ci"], tests: ["npm test"] });
  expect(commandsWished(wished({ test: "make check", setup: "make" }), there)).toEqual({
    setup: ["make"],
    tests: ["make check"],
  });
  expect(commandsWished(wished(), { ...there, evidence: defaults.evidence })).toMatchObject({
    what: expect.stringContaining("Nothing says how"),
  });
});
