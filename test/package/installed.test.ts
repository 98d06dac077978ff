import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { BUBBLEWRAP_IS_HERE, describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { addressOf } from "./address-of.ts";
import { forwardedRun } from "./forwarded-run.ts";
import { type Installed, install } from "./install.ts";
import { pageModules } from "./page-modules.ts";

const MEBIBYTE = 1024 * 1024;
const CONFIG = `
runtime:
  provider: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: MODEL_API_KEY }
  model: gpt-4.1
  prices: { gpt-4.1: { in: 2, cached: 0.5, out: 8 } }
sandbox: { mode: ${BUBBLEWRAP_IS_HERE ? "bubblewrap" : "none"} }
`;

const SCENARIO = `
title: an issue gets its label
repository: { name: app, files: { README.md: "# app" }, labels: [feature] }
people: { octocat: write }
model:
  conversations:
    - match: "You are triage"
      steps:
        - call: [{ tool: label, args: { name: feature } }]
        - call: [{ tool: report_complete, args: { summary: "Something new is wanted." } }]
    - match: "You are feat-dev"
      steps:
        - call: [{ tool: report_failed, args: { reason: "There is nothing to do.", category: other } }]
story:
  - open: { as: octocat, title: Greet, body: "Say hello." }
  - wait: { issue: 1, role: triage, state: COMPLETED }
`;

let installed: Installed & { readonly root: string };
let github: LocalGitHub;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  installed = install();
  const directory = join(installed.root, "github");
  mkdirSync(directory);
  github = await startLocalGitHub({ directory, repositories: [], people: {}, strict: true });
  env = {
    HOME: installed.home,
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
    GHE_HOST: github.host,
    GHE_PROTOCOL: "http",
    HOST: "127.0.0.1",
    PORT: "0",
    MODEL_API_KEY: "key-of-the-model",
  };
}, 240_000);
afterAll(async () => {
  await github.close();
  rmSync(installed.root, { recursive: true });
});

const run = (...args: string[]) => installed.start(args, env).ended;

describe("the package", () => {
  test("holds what was compiled with its types and all that it reads, and no source, no test, no secret", () => {
    const { files, bytes } = installed;
    expect(files.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
    expect(
      files.filter((path) => /(^|\/)tests?\/|\.test\.|\.tsbuildinfo|(^|\/)\.env$|\.pem$/.test(path)),
    ).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        ..."package.json README.md LICENSE CHANGELOG.md SECURITY.md app.yml config.example.yaml .env.example".split(
          " ",
        ),
        ..."src/flotilla.js dist/main.js dist/server/start-flotilla.d.ts config/labels.yaml".split(" "),
        ...readdirSync("config/roles").map((name) => `config/roles/${name}`),
        ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
      ]),
    );
    const sources = readdirSync("src", { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    const expected = sources
      .map((it) => join(it.parentPath, it.name).replace(/^src/, "dist"))
      .filter((path) => !/\.md$|flotilla\.js$/.test(path))
      .map((path) => path.replace(/\.ts$/, ".js"));
    expect(expected.filter((path) => !files.includes(path))).toEqual([]);
    expect(bytes).toBeLessThan(3 * MEBIBYTE);
  });

  test("gives who imports it the program, to start it in a process of their own", async () => {
    const entry = join(installed.package, "dist/server/start-flotilla.js");
    const program: unknown = await import(pathToFileURL(entry).href);
    expect(program).toMatchObject({ startFlotilla: expect.any(Function) });
  });
});

describe("in an empty folder", () => {
  test("check names the example that is in the package, and is content with a copy of it", async () => {
    const { code, stdout } = await run("check");
    const [, from = "", to = ""] = /start with `cp (\S+) (\S+)`/.exec(stdout) ?? [];
    expect([code, from, to]).toEqual([1, "node_modules/flotilla/config.example.yaml", "config.yaml"]);
    cpSync(join(installed.home, from), join(installed.home, to));
    const again = await run("check");
    expect(again.stdout).toContain("config.yaml is in order. Roles: triage, feat-dev");
    expect(again.code).toBe(0);
  });

  test("serve refuses wrong settings, all at once and each with its cure", async () => {
    writeFileSync(join(installed.home, "config.yaml"), `${CONFIG}projct: {}\n`);
    const { code, stdout, stderr } = await installed.start(["serve"], { ...env, WEBHOOK_SECRET: "short" })
      .ended;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Flotilla does not start:");
    expect(stderr).toContain("config.yaml: projct: unknown key. Did you mean");
    expect(stderr).toContain("WEBHOOK_SECRET is shorter than 32 bytes: make one with `openssl rand -hex 32`");
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("serve starts and answers, with the sandbox where bubblewrap is, and stops", async () => {
    writeFileSync(join(installed.home, "config.yaml"), CONFIG);
    const served = installed.start(["serve"], env);
    const url = await addressOf(served);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await pageModules(url)).length).toBeGreaterThan(10);
    served.kill("SIGTERM");
    const { code, stderr } = await served.ended;
    expect(stderr).toContain(
      BUBBLEWRAP_IS_HERE ? "agents are confined by bubblewrap" : "agents run unconfined",
    );
    expect(code).toBe(0);
    expect(existsSync(join(installed.home, "data/flotilla.db"))).toBe(true);
  });

  test("doctor reads app.yml of the package and finds what the App lacks of it", async () => {
    writeFileSync(join(installed.home, "config.yaml"), CONFIG);
    const { code, stdout } = await run("doctor", "--json");
    const { findings }: { findings: readonly { about: string; what: string }[] } = JSON.parse(stdout);
    expect(code).toBe(1);
    // By app.yml nothing lacks; the App of this test was given no webhook.
    const about = findings.map((finding) => finding.about);
    expect(about).toContain("the App's webhook");
    expect(about).not.toEqual(expect.arrayContaining(["the App"]));
    expect(about).not.toEqual(expect.arrayContaining(["configuration"]));
  });

  test("init gives an address", async () => {
    const { APP_ID: _, PRIVATE_KEY: __, ...without } = env;
    const started = installed.start(["init"], without);
    expect(await addressOf(started)).toMatch(/^http:/);
    started.kill("SIGTERM");
    expect(await started.ended).toMatchObject({ stderr: "" });
  });

  test("the demo plays a scenario to its end", async () => {
    writeFileSync(join(installed.home, "labelled.yaml"), SCENARIO);
    const { code, stdout, stderr } = await run("demo", "--once", "--scenario", "labelled.yaml");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/#1 Greet \(open\).*\n +triage +COMPLETED/);
  });
});

describeConfined("a sandbox of the package with a way out", () => {
  test("runs its forwarder, which was compiled too", async () => {
    expect(await forwardedRun(installed.package, installed.root)).toMatchObject({
      exitCode: 0,
      output: "out\n",
    });
  });
});
