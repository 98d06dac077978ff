import { describe, expect, test } from "vitest";
import { readYaml } from "../../src/config/yaml-text.ts";
import { faultsOf, SOUND_YAML } from "./workplace.ts";

const provider = (text: string) => faultsOf(`sandbox: { mode: none }\nruntime: { provider: { ${text} } }\n`);

/** The faults of one more section beside the sound ones. */
const of = (yaml: string) => faultsOf(`${SOUND_YAML}${yaml}\n`);

describe("faults of the configuration file", () => {
  test.each([
    ["polcy: {}", 'config.yaml: polcy: unknown key. Did you mean "policy"?'],
    [
      "circuit_breakers: { defaults: { max_turn: 3 } }",
      'config.yaml: circuit_breakers.defaults.max_turn: unknown key. Did you mean "max_turns"?',
    ],
    ["merge: { colour: red }", "config.yaml: merge.colour: unknown key. Known: auto, max_risk, method."],
    ["telemetry: { to: me }", "config.yaml: telemetry.to: unknown key."],
    [
      "merge: { method: squish }",
      'config.yaml: merge.method: write merge or squash or rebase. Did you mean "squash"?',
    ],
    ["leases: { agent: soon }", /^config\.yaml: leases\.agent: write one number with its unit/],
    ["leases: { agent: 300 }", /^config\.yaml: leases\.agent: write a duration with its unit/],
    ["leases:", "config.yaml: leases: is empty; write a mapping of keys, or leave the key out."],
    ["review: { required: 1 }", "config.yaml: review.required: is a number; write true or false."],
    [
      "circuit_breakers: { defaults: { max_turns: .inf } }",
      "config.yaml: circuit_breakers.defaults.max_turns: is not a finite number; write a whole number.",
    ],
    [
      "circuit_breakers: { defaults: { max_turns: many } }",
      "config.yaml: circuit_breakers.defaults.max_turns: is text; write a whole number.",
    ],
    ["project: [acme]", "config.yaml: project: is a list; write a mapping of keys."],
    ["retries: { max_restarts: -1 }", "config.yaml: retries.max_restarts: write a number of at least 0."],
    ["escalation: { label: '' }", /^config\.yaml: escalation\.label: write (?:at least 1 character|a label)/],
    [
      `escalation: { label: ${"x".repeat(60)} }`,
      "config.yaml: escalation.label: write at most 50 characters.",
    ],
    [
      "circuit_breakers: { turn_ceiling: 0 }",
      "config.yaml: circuit_breakers.turn_ceiling: write a number of at least 1.",
    ],
    ["policy: { bots: [dependabot] }", "config.yaml: policy.bots[0]: write the bot's numeric id"],
    [
      'policy: { protected_paths: [ok/**, "./deploy/**"] }',
      "config.yaml: policy.protected_paths[1]: has . or .. as a directory; write the path from the top of the repository.",
    ],
    [
      "levels: { labels: { __proto__: merge } }",
      /^config\.yaml:\d+: YAML: __proto__ is no key; write another/,
    ],
    ["policy: !!set { a }", /^config\.yaml:\d+: YAML: !!set and !!omap are not read; write a plain mapping/],
    ["policy: !!omap [ a: b ]", /^config\.yaml:\d+: YAML: !!set and !!omap are not read/],
    ["repositories: [acme]", /^config\.yaml: repositories\[0\]: write owner\/name/],
    ["repositories: []", /^config\.yaml: repositories: is empty, so nothing would ever start/],
    [
      'escalation: { notify: ["@ada"] }',
      /^config\.yaml: escalation\.notify\[0\]: write a login or org\/team without @/,
    ],
    [
      "circuit_breakers: { defaults: { max_cost_usd: none } }",
      /max_cost_usd: write a number of US dollars, or off/,
    ],
    ["branches: flotilla/{role}", /^config\.yaml: branches: needs \{role\} and \{number\}/],
    ["branches: flotilla/{role}/{number}/{title}", /^config\.yaml: branches: knows only/],
    ["branches: 'flotilla//{role} {number}'", /^config\.yaml: branches: does not make a legal branch name/],
    ["branches: flotilla/{role}/{number}.lock", /^config\.yaml: branches: does not make a legal branch name/],
  ])("%s", (yaml, fault) => {
    const faults = of(yaml);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  test("a provider needs a whole address and the name of a variable, and nothing of it is quoted", () => {
    expect(provider("type: openai, base_url: 'http://127.0.0.1:1', api_key_env: MODEL_API_KEY")).toEqual([
      expect.stringContaining("runtime.provider.base_url: is too short"),
    ]);
    expect(provider("type: openai, base_url: '127.0.0.1/v1', api_key_env: MODEL_API_KEY")).toEqual([
      expect.stringContaining("runtime.provider.base_url: write the whole address"),
    ]);
    const pasted = provider("type: openai, base_url: 'http://u:hunter2@h/v1', api_key_env: sk-hunter2");
    expect(pasted).toHaveLength(2);
    expect(pasted.join(" ")).not.toContain("hunter2");
    expect(provider("type: opnai")).toEqual([
      'config.yaml: runtime.provider.type: write openai or anthropic or azure or gemini. Did you mean "openai"?',
      expect.stringContaining("runtime.provider.base_url: is missing; write text."),
      expect.stringContaining("runtime.provider.api_key_env: is missing; write text."),
    ]);
  });

  test("without a provider a Copilot token is needed", () => {
    const yaml = "sandbox: { mode: none }\n";
    expect(faultsOf(yaml)).toEqual([expect.stringContaining("COPILOT_GITHUB_TOKEN is not set")]);
    expect(faultsOf(yaml, { env: { COPILOT_GITHUB_TOKEN: "t" } })).toEqual([]);
  });

  test("the variable of the provider's key must be set", () => {
    expect(faultsOf(SOUND_YAML, { env: { MODEL_API_KEY: "" } })).toEqual([
      expect.stringContaining(
        "runtime.provider.api_key_env: the environment variable MODEL_API_KEY is not set",
      ),
    ]);
  });

  test("broken YAML is named by its line", () => {
    expect(faultsOf("project:\n  name: acme\n bad: [1\n")[0]).toMatch(/^config\.yaml:3: YAML: /);
    expect(faultsOf("level: pr\nlevel: draft\n")[0]).toBe(
      "config.yaml:2: YAML: the key of line 1 is here a second time; write each key once.",
    );
    expect(faultsOf("merge: *nowhere\n")[0]).toMatch(/^config\.yaml:?\d*: YAML: /);
  });

  test.each([
    ["level: pr\n\n'level': draft\n", [[3, 1]]],
    [
      "roles:\n  a: { x: 1, 'x': 2, x: 3 }\n  b: 1\n  a: 2\n",
      [
        [2, 2],
        [2, 2],
        [4, 2],
      ],
    ],
    ["- { 1: a, 0x1: b }\n- { a: 1 }\n- { a: 1 }\n", [[1, 1]]],
    ["1: a\n'1': b\n", []],
  ])("each key of %j that is there a second time is a fault at its line", (yaml, lines) => {
    const found = readYaml(yaml, "f").faults;
    expect(found.toSorted()).toEqual(
      lines.map(
        ([line, first]) =>
          `f:${line}: YAML: the key of line ${first} is here a second time; write each key once.`,
      ),
    );
  });

  test("thousands of keys take no time each", { timeout: 20_000 }, () => {
    const keys = Array.from({ length: 30_000 }, (_, at) => `k${at}`);
    const { faults } = readYaml(`{ ${keys.join(", ")}, k7 }`, "f");
    expect(faults).toEqual(["f:1: YAML: the key of line 1 is here a second time; write each key once."]);
  });

  test("a file that is no mapping is refused", () => {
    expect(faultsOf("- a\n")).toContain("config.yaml: is a list; write a mapping of keys.");
  });
});
