import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { startServed } from "../../src/demo/served.ts";
import { bubblewrapThat, CONFINES_NOTHING } from "../adapters/sandbox/false-bubblewrap.ts";
import { aHome, type Home } from "./a-home.ts";
import { runFlotilla } from "./run-flotilla.ts";

const THREE_FAULTS = `
project: { nam: x }
runtime: { model: 5 }
circuit_breakers: { defaults: { max_turns: 0 } }
sandbox: { mode: none }
`;

describe("a start with faults", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-github-"));
  let github: LocalGitHub;
  let home: Home;

  beforeAll(async () => {
    github = await startLocalGitHub({ directory });
  });
  afterAll(async () => {
    await github.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(() => {
    home = aHome(github);
  });
  afterEach(() => home.remove());

  async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await runFlotilla(["serve"], {
      cwd: home.cwd,
      env: { ...home.env, ...env },
    });
    expect(stdout).not.toContain("listens");
    expect(code).toBe(2);
    // The text is for people, so it contains no stack trace.
    expect(stderr).not.toMatch(/^\s+at /m);
    return stderr;
  }

  // test/config/environment.test.ts shows that each of these is enough alone.
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      "what is not set, all of it named",
      { WEBHOOK_SECRET: "", APP_ID: "", PRIVATE_KEY: "", MODEL_API_KEY: "" },
      [
        "WEBHOOK_SECRET is not set: make one with",
        "APP_ID is not set: write the App's number",
        "PRIVATE_KEY or PRIVATE_KEY_PATH is not set: make a private key",
        "MODEL_API_KEY is not set; set it to the provider's key",
      ],
    ],
    [
      "the secret that everybody knows, and files that are not there",
      {
        WEBHOOK_SECRET: "development",
        PRIVATE_KEY: "",
        PRIVATE_KEY_PATH: "gone.pem",
        FLOTILLA_CONFIG: "other.yaml",
      },
      [
        "WEBHOOK_SECRET is shorter than 32 bytes: make one",
        "PRIVATE_KEY_PATH: gone.pem cannot be read (ENOENT): correct the path",
        `other.yaml does not exist; start with \`cp ${join(import.meta.dirname, "../../config.example.yaml")} other.yaml\``,
      ],
    ],
    [
      "a GitHub that is not there",
      { GHE_HOST: "127.0.0.1:1" },
      ["http://127.0.0.1:1/api/v3 cannot be reached"],
    ],
    ["an App that GitHub does not know", { APP_ID: "987654" }, ["GitHub does not accept the App 987654"]],
  ])(
    "is refused for %s",
    async (_, env, words) => {
      const said = await refusal(env);
      expect(said).toContain("Flotilla does not start:");
      for (const word of words) expect(said).toContain(word);
    },
    60_000,
  );

  it("names every fault of the environment and of the configuration at once, with its place and no secret", async () => {
    home.configure(THREE_FAULTS);
    const said = await refusal({ WEBHOOK_SECRET: "shortsecret", PRIVATE_KEY: "garbagekey", APP_ID: "x" });
    expect(said).not.toMatch(/shortsecret|garbagekey|key-of-the-model/);
    for (const words of [
      "WEBHOOK_SECRET is shorter than 32 bytes",
      "APP_ID is not a number",
      "PRIVATE_KEY is not an RSA private key",
      "config.yaml: project.nam: unknown key.",
      "config.yaml: runtime.model: ",
      "config.yaml: circuit_breakers.defaults.max_turns: ",
    ])
      expect(said).toContain(words);
  }, 180_000);

  it("is refused, also by default, if bubblewrap does not confine, with everything that is wrong", async () => {
    home.configure(home.config.replace("sandbox: { mode: none }", ""));
    const path = `${bubblewrapThat(CONFINES_NOTHING)}:${process.env["PATH"] ?? ""}`;
    const said = await refusal({ PATH: path });
    expect(said).toContain("sandbox: a confined process is not confined: it has a network.");
    expect(said).toContain("See `Sandbox` in docs/operations.md");
  }, 180_000);

  it("is refused for an unusable data directory", async () => {
    writeFileSync(join(home.cwd, "occupied"), "a file");
    const said = await refusal({ FLOTILLA_DATA_DIR: "occupied" });
    expect(said).toContain(`${join(home.cwd, "occupied")}: cannot be used as the data directory`);
    expect(said).toContain("Move it away, or set FLOTILLA_DATA_DIR");
  }, 180_000);

  it("is refused for a port in use", async () => {
    const said = await refusal({ PORT: github.host.split(":")[1] ?? "" });
    expect(said).toContain(
      "is taken by another program: webhooks would go to that one. Stop it, or set PORT.",
    );
  }, 180_000);

  it("succeeds with the same environment without faults, and again while GitHub is unavailable", async () => {
    const env = { PATH: process.env["PATH"] ?? "", ...home.env };
    const first = await startServed({ cwd: home.cwd, env });
    expect(await first.stop()).toBe(0);
    const second = await startServed({ cwd: home.cwd, env: { ...env, GHE_HOST: "127.0.0.1:1" } });
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(second.log()).toContain("GitHub not reached: continuing with the stored identity of the App");
    expect(await second.stop()).toBe(0);
  }, 180_000);

  it("runs the same checks as doctor, which also works beside a serving process and reports what the App on GitHub lacks", async () => {
    const env = { PATH: process.env["PATH"] ?? "", ...home.env };
    home.configure(
      `${home.config}circuit_breakers: { defaults: { max_cost_usd: off }, repository_per_day: { max_cost_usd: off } }\n`,
    );
    const doctor = (more: Readonly<Record<string, string>> = {}) =>
      runFlotilla(["doctor", "--json"], { cwd: home.cwd, env: { ...home.env, ...more } });
    const before = await doctor({ WEBHOOK_SECRET: "short" });
    expect(before.code).toBe(1);
    expect(JSON.parse(before.stdout)).toMatchObject({
      ok: false,
      findings: [{ about: "configuration", what: expect.stringContaining("WEBHOOK_SECRET is shorter") }],
    });
    const served = await startServed({ cwd: home.cwd, env });
    github.setWebhook({ url: `${served.url}/api/github/webhooks`, secret: home.env["WEBHOOK_SECRET"] ?? "" });
    github.installationEvent("created", "octocat");
    await github.webhooks.idle();
    const healthy: { findings: { about: string; what: string }[] } = JSON.parse((await doctor()).stdout);
    // Nothing about the App, because its webhook arrived. This home has no sandbox, no provider and no labels.
    const unlike = new Set(["sandbox", "model provider", "acme/app"]);
    expect(new Set(healthy.findings.map(({ about }) => about))).toEqual(unlike);
    github.setWebhook({ url: served.url, secret: "" });
    chmodSync(join(home.cwd, "data"), 0o711);
    const after = await doctor();
    expect(after.code).toBe(1);
    const { findings }: { findings: { about: string; what: string }[] } = JSON.parse(after.stdout);
    const news = findings.filter(({ about }) => !unlike.has(about));
    expect(news.map(({ about, what }) => `${about} ${what}`)).toEqual([
      expect.stringContaining("/data is open to others (mode 0711)"),
      expect.stringContaining("the App's webhook goes to http://127.0.0.1"),
      "the App's webhook has no secret: every delivery will be refused",
    ]);
    expect(await served.stop()).toBe(0);
    expect(await refusal({})).toContain(`Close it: chmod 700 ${join(home.cwd, "data")}`);
  }, 180_000);
});
