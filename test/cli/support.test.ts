import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PRESETS } from "../../src/adapters/runtimes/acp/presets/presets.ts";
import { RUNTIMES } from "../../src/adapters/runtimes/registry.ts";
import { migrations } from "../../src/adapters/store/sqlite/migrations/migrations.ts";
import { support } from "../../src/cli/commands/support.ts";
import { PRIVATE_KEY } from "../adapters/github/mocked-github.ts";
import { insertAgent } from "../adapters/store/samples.ts";
import { fileStore } from "../factories/file-store.ts";
import { proved } from "../proved.ts";

/** Each stands where its like would stand: in the environment, the configuration, the data directory, the log, rows. */
const CANARIES = {
  webhook: "canary-webhook-secret-8d1f0a7c35e94b62",
  provider: "canary-provider-key-51c7d2e09ab84f36",
  dashboard: "canary-dashboard-token-7b3e91d5c0a246f8",
  marker: "canary-marker-secret-e4a90c1b77d25f83",
  github: "ghs_canary0123456789abcdefABCDEF012345",
  bearer: "canary.bearer-token-93f1c6",
};
const BODY = "what a person wrote in confidence";

let home: string;
let env: Record<string, string>;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "flotilla-support-"));
  const dataDir = join(home, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  env = {
    APP_ID: "7",
    PRIVATE_KEY_PATH: "app.pem",
    WEBHOOK_SECRET: CANARIES.webhook,
    // A name that does not say what it holds.
    MODEL_ACCESS: CANARIES.provider,
    GHE_HOST: "127.0.0.1:1",
    GHE_PROTOCOL: "http",
    PORT: "0",
  };
  writeFileSync(join(home, "app.pem"), PRIVATE_KEY, { mode: 0o600 });
  writeFileSync(join(dataDir, "dashboard-token"), CANARIES.dashboard, { mode: 0o600 });
  writeFileSync(
    join(home, "config.yaml"),
    `# ${CANARIES.provider} ${CANARIES.github}\nsandbox: { mode: none }\nruntime: { provider: { type: openai, base_url: "http://127.0.0.1:1/v1", api_key_env: MODEL_ACCESS } }\n`,
  );
  writeFileSync(
    join(home, "flotilla.log"),
    `${[CANARIES.webhook, CANARIES.provider, CANARIES.marker, CANARIES.github].join(" ")} Authorization: Bearer ${CANARIES.bearer}\n${PRIVATE_KEY}\n{"level":"info","msg":"recovered"}\n`,
  );
  const store = await fileStore(join(dataDir, "flotilla.db"));
  await store.keptSecrets.keep("marker", CANARIES.marker);
  const { id: agentId } = await insertAgent(store, { issue: 42 });
  const why = { rule: "slot", change: null, inputs: { text: BODY }, delivery: null } as const;
  await store.decisions.add({
    ...why,
    at: 0,
    repositoryId: 7,
    issue: 42,
    agentId,
    reason: `no slot for ${CANARIES.dashboard}`,
  });
  await store.deliveries.insert([
    {
      guid: "g-1",
      event: "issues",
      action: "opened",
      installationId: 1,
      repositoryId: 7,
      lane: "l",
      payload: `{"body":"${BODY} ${CANARIES.github}"}`,
      receivedAt: 0,
    },
  ]);
  await store.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function say(options: Record<string, string | boolean> = {}) {
  const lines: string[] = [];
  const code = await support.run({
    env,
    cwd: home,
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
    options,
    args: [],
  });
  return { code, text: lines.join("\n") };
}

/** Every file of the bundle by its name. */
function unpacked(path: string): ReadonlyMap<string, string> {
  const into = mkdtempSync(join(home, "unpacked-"));
  execFileSync("tar", ["-xzf", path, "-C", into, "--strip-components=1"]);
  const names = readdirSync(into, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(into, name)).isFile(),
  );
  return new Map(names.map((name) => [name, readFileSync(join(into, name), "utf8")]));
}

test("the bundle says what happened, in one file that only we may read, and none of the secrets is in it", async () => {
  const { code, text } = await say({ to: "bundle", log: "flotilla.log" });
  expect(code).toBe(0);
  const path = join(home, "bundle.tar.gz");
  expect(text).toContain(`${path} has `);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).not.toContain("bundle");
  const files = unpacked(path);
  const listed = (files.get("CONTENTS.txt") ?? "").split("\n").map((line) => line.split(": ")[0]);
  expect(listed).toEqual(expect.arrayContaining([...files.keys()].filter((name) => name !== "CONTENTS.txt")));
  expect(JSON.parse(files.get("versions.json") ?? "")).toMatchObject({
    node: process.versions.node,
    sqlite: expect.stringMatching(/^3/),
  });
  expect(JSON.parse(files.get("versions.json") ?? "").runtimes).toEqual(
    Object.fromEntries([
      ...RUNTIMES.map(({ name, version }) => [name, version()]),
      // Nobody has added one.
      ...[...PRESETS.keys()].map((name) => [name, null]),
    ]),
  );
  expect(files.get("doctor.json")).toContain("http://127.0.0.1:1/v1 cannot be reached");
  expect(files.get("config.yaml")).toContain("sandbox: { mode: none }");
  expect(JSON.parse(files.get("environment.json") ?? "")).toMatchObject({
    APP_ID: "7",
    WEBHOOK_SECRET: "(set)",
  });
  expect(JSON.parse(files.get("database.json") ?? "")).toMatchObject({ agent: 1, delivery: 1 });
  const schema = files.get("schema.sql");
  expect(schema).toMatch(/^PRAGMA user_version = \d+;\n[^]*CREATE TABLE agent/);
  expect(schema).toContain(`PRAGMA user_version = ${migrations.length};\n`);
  expect(files.get("rows/decision.jsonl")).toMatch(/"rule":"slot","reason":"no slot for \[redacted\]"/);
  expect(files.get("rows/delivery.jsonl")).toMatch(/"guid":"g-1",.*"payload":"\(\d+ long\)"/);
  expect(files.get("log.jsonl")).toContain('"msg":"recovered"');
  const all = [...files.values(), text].join("\n");
  const secrets = [...Object.values(CANARIES), PRIVATE_KEY.split("\n")[1] ?? ""];
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  expect(all).not.toContain(BODY);
  proved({
    promise: "A support bundle holds no secret",
    test: "test/cli/support.test.ts",
    figure: `${secrets.length} secrets in environment, configuration, data directory, log and rows; 0 in ${files.size} files`,
  });
});

test("texts are in it where they are asked for, and still no secret", async () => {
  const { text } = await say({ to: "bundle.tar.gz", bodies: true, json: true });
  const told: { path: string; contents: { name: string }[] } = JSON.parse(text);
  expect(told.path).toBe(join(home, "bundle.tar.gz"));
  const files = unpacked(told.path);
  expect([...files.keys()].toSorted()).toEqual(
    ["CONTENTS.txt", ...told.contents.map(({ name }) => name)].toSorted(),
  );
  expect(files.get("rows/delivery.jsonl")).toContain(BODY);
  expect(files.get("rows/delivery.jsonl")).not.toContain(CANARIES.github);
  expect(files.get("rows/kept_secret.jsonl")).toBe(
    `{"name":"marker","secret":"(${CANARIES.marker.length} long)"}\n`,
  );
  expect([...files.values()].join("\n")).not.toContain(CANARIES.marker);
});

test("nothing is overwritten, and what cannot be read says so", async () => {
  writeFileSync(join(home, "bundle.tar.gz"), "mine");
  expect(await say({ to: "bundle" })).toMatchObject({
    code: 1,
    text: expect.stringContaining("bundle.tar.gz exists."),
  });
  rmSync(join(home, "config.yaml"));
  writeFileSync(join(home, "data/flotilla.db"), "This was a database.");
  await say({ to: "second", log: "no.log" });
  await say({ to: "third", log: "flotilla.log" });
  expect(unpacked(join(home, "third.tar.gz")).get("log.jsonl")).not.toContain(CANARIES.webhook);
  const files = unpacked(join(home, "second.tar.gz"));
  for (const name of ["config.yaml", "database.json", "log.jsonl"])
    expect(files.get(name)).toContain("(not read: ");
});

test("what is no file in the place of the database is said, and never opened", async () => {
  const path = join(home, "data/flotilla.db");
  rmSync(path);
  execFileSync("mkfifo", [path]);
  await say({ to: "bundle.tar.gz" });
  const files = unpacked(join(home, "bundle.tar.gz"));
  expect(files.get("database.json")).toContain("is not a file");
  expect(files.get("doctor.json")).toContain("is not a file");
});

test("without tar the bundle is a directory", async () => {
  vi.stubEnv("PATH", join(home, "nothing"));
  const { text } = await say({ to: "bundle" });
  vi.unstubAllEnvs();
  expect(text).toContain(`${join(home, "bundle")} has `);
  expect(statSync(join(home, "bundle")).mode & 0o777).toBe(0o700);
  expect(readdirSync(home)).not.toContain("bundle.tar.gz");
});
