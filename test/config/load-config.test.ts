import { chmodSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { DECLARED } from "../../src/cli/declared.ts";
import type { Variables } from "../../src/config/environment.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { limitsFor } from "../../src/domain/breakers/limits.ts";
import { StartupRefused } from "../../src/domain/kernel/errors.ts";
import { faultsOf, load, SOUND_ENV, SOUND_YAML, workplace } from "./workplace.ts";

describe("loading the configuration", () => {
  test("faults of environment, keys, roles, role files and provider come at once", () => {
    const faults = faultsOf(
      `
polcy: {}
sandbox: { mode: docker }
leases: { agent: soon }
runtime: { provider: { type: openai, base_url: "http://h/v1", api_key_env: UNSET_KEY } }
roles:
  triage: { prompt: missing.md, evidence: outputs, triggers: [{ event: issues.opend }] }
  bug-fix: { promt: bug-fix.md }
  mender: { prompt: mender.md, triggers: [{ event: issues.opened }] }
`,
      {
        env: { APP_ID: "", PORT: "x" },
        files: { "config/roles/mender.md": "---\ndescription: M\ntools: [comit]\n---\nx\n" },
      },
    );
    expect(faults).toEqual([
      expect.stringContaining("APP_ID is not set"),
      expect.stringContaining("PORT"),
      expect.stringContaining("roles.bug-fix.prompt: is missing"),
      expect.stringContaining('roles.bug-fix.promt: unknown key. Did you mean "prompt"?'),
      expect.stringContaining("leases.agent"),
      expect.stringContaining("sandbox.mode"),
      expect.stringContaining("polcy"),
      expect.stringContaining("UNSET_KEY is not set"),
      expect.stringContaining("missing.md cannot be read"),
      expect.stringContaining('unknown tool "comit"'),
      expect.stringContaining('unknown event "issues.opend"'),
    ]);
  });

  test("secrets that are not set are told together with a fault of the key above them", () => {
    const faults = faultsOf(
      `
sandbox: { mode: docker }
runtime: { modle: x, provider: { type: openai, base_url: "http://h/v1", api_key_env: UNSET_KEY } }
telemetry: { endpoint: "http://h", haeder: x, header: { name: authorization, value_env: TWO_LINES } }
registries:
  - { kind: npm, url: "https://npm.example.com/", token_env: UNSET_TOKEN }
  - { kind: pip, url: "https://pip.example.com/", token_env: SET_TOKEN }
mcp_servers:
  docs: { url: "https://docs.example.com/", header: { name: Authorization, value_env: UNSET_HEADER }, tols: [a] }
  files: { command: [files], env: { TOKEN: UNSET_SECRET, FAULTY: "not a name" }, tools: [a] }
`,
      { env: { TWO_LINES: "a\nb", SET_TOKEN: "t" } },
    );
    const inVariables = faults.filter((fault) => fault.includes("environment variable "));
    expect(inVariables.filter((fault) => !fault.includes("never the value itself"))).toEqual([
      "config.yaml: runtime.provider.api_key_env: the environment variable UNSET_KEY is not set; set it to the provider's key.",
      "config.yaml: mcp_servers.docs.header.value_env: the environment variable UNSET_HEADER is not set; set it, or take the key out.",
      "config.yaml: mcp_servers.files.env.TOKEN: the environment variable UNSET_SECRET is not set; set it, or take the key out.",
      "config.yaml: registries[0].token_env: the environment variable UNSET_TOKEN is not set; set it to the registry's token.",
      "config.yaml: telemetry.header.value_env: the environment variable TWO_LINES holds what no header can; write it in one line of ASCII characters.",
    ]);
    expect(faults.filter((fault) => fault.includes("not a name"))).toEqual([]);
    expect(faults.length).toBeGreaterThan(inVariables.length);
  });

  test("a faulty section brings no second fault of what depends on it", () => {
    expect(faultsOf("sandbox: { mode: none }\nruntime: { modle: x }\n")).toEqual([
      'config.yaml: runtime.modle: unknown key. Did you mean "model"?',
    ]);
    const role = "{ prompt: elsewhere.md, triggers: [{ event: issues.opened }] }";
    expect(faultsOf(`${SOUND_YAML}agents_dir: 3\nroles: { mender: ${role} }\n`)).toEqual([
      "config.yaml: agents_dir: is a number; write text.",
    ]);
    expect(faultsOf(`${SOUND_YAML}roles: []\n`)).toEqual([
      "config.yaml: roles: is a list; write a mapping of names.",
    ]);
  });

  test("a missing file is named with the command that makes one", () => {
    const cwd = workplace();
    const start = () => loadConfig({ env: SOUND_ENV, cwd, ...DECLARED });
    expect(start).toThrow(StartupRefused);
    expect(start).toThrow(
      `config.yaml does not exist; start with \`cp ${join(import.meta.dirname, "../../config.example.yaml")} config.yaml\``,
    );
  });

  test("FLOTILLA_CONFIG names the file, also in its faults when the environment is faulty", () => {
    const given = {
      env: { FLOTILLA_CONFIG: "etc/f.yaml", APP_ID: "" },
      files: { "etc/f.yaml": "levl: pr\n" },
    };
    expect(faultsOf("", given)).toContain('etc/f.yaml: levl: unknown key. Did you mean "level"?');
    const sound = {
      env: { FLOTILLA_CONFIG: "etc/f.yaml" },
      files: { "etc/f.yaml": `${SOUND_YAML}level: draft\n` },
    };
    expect(load("", sound).config.level).toBe("draft");
  });

  test("a directory in place of the file is refused with its reason", () => {
    const cwd = workplace({ "config.yaml/x": "" });
    chmodSync(join(cwd, "config.yaml"), 0o755);
    expect(() => loadConfig({ env: SOUND_ENV, cwd, ...DECLARED })).toThrow(
      "config.yaml cannot be read (EISDIR)",
    );
  });

  test("the result and all in it are frozen", () => {
    const { config } = load(SOUND_YAML);
    expect(Object.isFrozen(config.policy.maxOutputs)).toBe(true);
    expect(Object.isFrozen(config.secrets)).toBe(true);
    expect(Object.isFrozen(config.roles.get("bug-fix")?.triggers)).toBe(true);
    expect(() => Reflect.get(config.roles, "set").call(config.roles, "x", {})).toThrow("frozen");
    expect(() => Reflect.get(config.roles, "clear").call(config.roles)).toThrow("frozen");
  });

  test("printing, logging and copying the configuration leaves its secrets out", () => {
    const { config } = load(SOUND_YAML, { env: { DASHBOARD_TOKEN: "dashboard-token-of-tests-1" } });
    const printed = JSON.stringify(config) + inspect(config, { depth: 9 }) + JSON.stringify({ ...config });
    for (const secret of [
      SOUND_ENV.WEBHOOK_SECRET,
      SOUND_ENV.MODEL_API_KEY,
      "dashboard-token-of-tests-1",
      "BEGIN RSA",
    ]) {
      expect(printed).not.toContain(secret);
    }
    expect(config.secrets).toMatchObject({
      webhookSecret: SOUND_ENV.WEBHOOK_SECRET,
      dashboardToken: "dashboard-token-of-tests-1",
      provider: { apiKey: SOUND_ENV.MODEL_API_KEY },
      accountKey: undefined,
    });
  });

  test("a Copilot token is used only where no provider is configured", () => {
    const env = { COPILOT_GITHUB_TOKEN: "copilot-token" };
    expect(load(SOUND_YAML, { env }).config.secrets.accountKey).toBeUndefined();
    const { config } = load("sandbox: { mode: none }\n", { env });
    expect(config.secrets).toMatchObject({ accountKey: "copilot-token", provider: undefined });
    expect(config.runtime.provider).toBeUndefined();
  });

  test("a runtime without an account of its own needs a provider", () => {
    const declared = { ownAccount: null };
    expect(faultsOf("# nothing\n", { declared, env: { COPILOT_GITHUB_TOKEN: "t" } })).toEqual([
      "config.yaml: runtime.provider: is missing; configure a provider with your own key.",
    ]);
    expect(load(SOUND_YAML, { declared }).config.secrets.provider?.apiKey).toBe(SOUND_ENV.MODEL_API_KEY);
  });

  test("the runtime's own account is named with its variable", () => {
    const declared = { ownAccount: { name: "Acme Models", keyVariable: "ACME_TOKEN" } };
    expect(faultsOf("# nothing\n", { declared })).toEqual([
      expect.stringMatching(/ACME_TOKEN is not set.* a token of Acme Models\.$/),
      expect.stringContaining("keeps a confined agent from Acme Models"),
    ]);
    const { secrets } = load("sandbox: { mode: none }\n", { declared, env: { ACME_TOKEN: "t" } }).config;
    expect(secrets.accountKey).toBe("t");
  });

  test("the passwords that databases find in the environment are secrets", () => {
    const declared = {
      databaseSecrets: (variables: Variables) => [variables["DATABASE_PASSWORD"] ?? ""],
    };
    const { config } = load(SOUND_YAML, { declared, env: { DATABASE_PASSWORD: "a-long-password" } });
    expect(config.secrets.database).toEqual(["a-long-password"]);
    expect(JSON.stringify(config)).not.toContain("a-long-password");
  });

  test("an empty file is a configuration of defaults", () => {
    expect(faultsOf("# nothing\n", { env: { COPILOT_GITHUB_TOKEN: "t" } })).toEqual([
      expect.stringContaining("sandbox.network: none keeps a confined agent from GitHub Copilot"),
    ]);
  });

  test("a limit that differs for a role leaves its others as they are", () => {
    const { config } = load(`${SOUND_YAML}circuit_breakers: { roles: { bug-fix: { max_turns: 4 } } }\n`);
    expect(limitsFor(config, { name: "bug-fix", limits: {} })).toEqual({
      ...config.limits.defaults,
      maxTurns: 4,
    });
  });

  test("a cost limit may be switched off", () => {
    const { config } = load(`${SOUND_YAML}circuit_breakers: { defaults: { max_cost_usd: off } }\n`);
    expect(config.limits.defaults.maxCostUsd).toBeUndefined();
  });
});
