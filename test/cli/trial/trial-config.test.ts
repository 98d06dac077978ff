import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trialConfig } from "../../../src/cli/trial/trial-config.ts";
import type { Config } from "../../../src/config/load-config.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import type { Role } from "../../../src/domain/agents/role.ts";
import { configOf, type TrialHome, trialHome } from "./trial-home.ts";

let root: string;
let real: LocalGitHub;
let home: TrialHome;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-trial-config-"));
  real = await startLocalGitHub({ directory: join(root, "real"), repositories: [], people: {} });
  const hosts = [
    "registry.npmjs.org",
    "github.com",
    "api.github.com",
    "raw.githubusercontent.com",
    "notgithub.com",
  ];
  home = await trialHome(real, [], {
    sandbox: { network: "proxy", allow_hosts: hosts },
    setup: { network: hosts, repositories_may: { hosts } },
    notices: { team: { format: "slack", url_env: "SLACK_URL" } },
    mcp_servers: { files: { command: ["mcp-files"], tools: ["read"] } },
    escalation: { notify: ["mona"] },
    evidence: { required_checks: ["ci"] },
    merge: { auto: true },
    level: "merge",
  });
});
afterAll(async () => {
  await home.close();
  await real.close();
  rmSync(root, { recursive: true });
});

function placed(given: { readonly maxCostUsd?: number; readonly limits?: Role["limits"] } = {}): Config {
  const config = configOf({ ...home, env: { ...home.env, SLACK_URL: "https://hooks.example.com/x" } });
  const role = config.roles.get("bug-fix");
  if (role === undefined) throw new Error("no role");
  return trialConfig(config, {
    github: { app: { ...real.app, id: 77 }, host: "127.0.0.1:9" },
    dataDir: "/trial/data",
    repository: "acme/shop",
    webhookSecret: "w",
    arm: { agent: "copilot", model: "gpt-4.1" },
    role: { ...role, mcpTools: ["files.read"], planFirst: true, limits: given.limits ?? {} },
    label: "bug",
    setup: ["make"],
    tests: ["make test"],
    maxCostUsd: given.maxCostUsd,
  });
}

test("nothing of it leads to the real GitHub, to people or to MCP servers", () => {
  const { environment, secrets, sandbox, setup, ...config } = placed();
  expect(environment).toMatchObject({ appId: 77, gheHost: "127.0.0.1:9", dataDir: "/trial/data", port: 0 });
  expect(secrets).toMatchObject({ webhookSecret: "w", signIn: undefined, dashboardToken: undefined });
  expect([secrets.mcpServers.size, secrets.noticeAddresses.size]).toEqual([0, 0]);
  const elsewhere = ["registry.npmjs.org", "notgithub.com"];
  expect([sandbox.allowHosts, setup.network, setup.repositoriesMay.hosts]).toEqual([
    elsewhere,
    elsewhere,
    elsewhere,
  ]);
  expect([config.notices, config.mcpServers, config.schedules, config.level]).toEqual([{}, {}, {}, "pr"]);
  expect(config.escalation.notify).toEqual([]);
  expect(config.merge.auto).toBe(false);
});

test("the role is alone, starts by its label, waits for nobody, and has the operator's provider", () => {
  const config = placed();
  expect([...config.roles.values()]).toMatchObject([
    {
      name: "bug-fix",
      runtime: undefined,
      model: "gpt-4.1",
      otherModels: [],
      mcpTools: [],
      planFirst: false,
      triggers: [{ event: "issues.labeled", label: "bug" }],
      limits: {},
    },
  ]);
  expect(config.evidence).toMatchObject({ commands: ["make test"], requiredChecks: [] });
  expect(config.setup.commands).toEqual(["make"]);
  expect(config.secrets.provider?.apiKey).toBe("key-of-the-model");
});

const costOf = (config: Config) => config.roles.get("bug-fix")?.limits.maxCostUsd;

test("the budget lowers what the role may cost, and never raises it", () => {
  expect(costOf(placed({ maxCostUsd: 3 }))).toBe(3);
  expect(costOf(placed({ maxCostUsd: 3, limits: { maxCostUsd: 2 } }))).toBe(2);
  expect(costOf(placed({ maxCostUsd: 3, limits: { maxCostUsd: 9 } }))).toBe(3);
});
