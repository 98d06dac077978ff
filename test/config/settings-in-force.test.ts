import { expect, it } from "vitest";
import { environmentSchema } from "../../src/config/environment.ts";
import { settingsInForce } from "../../src/config/settings-in-force.ts";
import { variablesInForce } from "../../src/config/variables-in-force.ts";

const TEXT = `# A comment.
level: draft
runtime:
  provider:
    type: openai
    base_url: https://user:hunter2@models.example.com/v1?key=hunter2
    api_key_env: MODEL_API_KEY
setup:
  environment:
    CACHE_TOKEN: hunter2
services:
  db:
    run: postgres -D /tmp/db --password=hunter2
    env: { PGPASSWORD: hunter2 }
mcp_servers:
  docs:
    command: [npx, docs-server, --token=hunter2]
    env: { TOKEN: DOCS_TOKEN }
  news: { url: "https://news.example.com/mcp/hunter2/sse" }
circuit_breakers:
  defaults: { max_turns: 40 }
policy:
  bots: [1, 2]
evidence:
  commands: ["psql HTTPS://me:hunter2,@db/x#hunter2", "psql postgres://me:hunter2@db/x", "TOKEN=hunter2 ./seed -p hunter2"]
  screens:
    run: npm start
    env: { TOKEN: hunter2 }
    pages: [{ name: start, path: / }]
`;

const all = settingsInForce(TEXT, "config.yaml");
const of = (key: string) => all.find((one) => one.key === key);

it.each([
  ["level", { value: "draft", source: "file", where: "config.yaml:2" }],
  ["runtime.provider.api_key_env", { value: "MODEL_API_KEY", source: "file", where: "config.yaml:7" }],
  ["circuit_breakers.defaults.max_turns", { value: "40", where: "config.yaml:21", isForRepositories: true }],
  ["circuit_breakers.defaults.max_tokens", { value: "2000000", source: "default", where: null }],
  ["policy.bots", { value: "1, 2", source: "file" }],
  ["policy.who_may_command", { value: "write", source: "default", isForRepositories: false }],
  ["mcp_servers.docs.env.TOKEN", { value: "DOCS_TOKEN", isHidden: false }],
  ["base", { value: null, isForRepositories: true }],
])("says of %s what applies and where it comes from", (key, setting) => {
  expect(of(key)).toMatchObject(setting);
});

it("shows no value that is or may hold a secret, nor how long it is", () => {
  expect(of("setup.environment.CACHE_TOKEN")).toMatchObject({ value: null, isHidden: true, source: "file" });
  expect(of("services.db.env.PGPASSWORD")).toMatchObject({ value: null, isHidden: true });
  expect(of("mcp_servers.docs.command")?.value).toBe("npx …");
  expect(of("runtime.provider.base_url")?.value).toBe("https://…@models.example.com/v1?…");
  expect(of("mcp_servers.news.url")?.value).toBe("https://news.example.com/…");
  expect(of("evidence.commands")?.value).toBe(
    "psql HTTPS://…@db/x?…, psql postgres://…@db/x, TOKEN=[redacted] ./seed -p [redacted]",
  );
  expect(of("services.db.run")?.value).toBe("postgres -D /tmp/db --password=[redacted]");
  expect(of("evidence.screens.env.TOKEN")).toMatchObject({ value: null, isHidden: true });
  expect(of("evidence.screens.run")?.value).toBe("npm start");
  expect(JSON.stringify(all)).not.toContain("hunter2");
});

it("follows an alias to what it stands for", () => {
  const text = "services:\n  a: &a { run: postgres }\n  b: *a\n";
  const found = settingsInForce(text, "c.yaml").filter(({ key }) => key.endsWith(".run"));
  expect(found.map(({ key, value, where }) => [key, value, where])).toEqual([
    ["services.a.run", "postgres", "c.yaml:2"],
    ["services.b.run", "postgres", "c.yaml:2"],
  ]);
});

it("names each key once, and tells what it is for", () => {
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(100);
  expect(of("circuit_breakers.defaults.max_turns")?.about).toMatch(/\S/);
});

it("lists all variables of Flotilla's own, of secrets only whether they are set", () => {
  const shown = variablesInForce({ PORT: "4000", WEBHOOK_SECRET: "hunter2", DASHBOARD_TOKEN: "" });
  const byName = new Map(shown.map((one) => [one.key, one]));
  expect(byName.get("PORT")).toMatchObject({ value: "4000", source: "environment", isHidden: false });
  expect(byName.get("HOST")).toMatchObject({ value: "127.0.0.1", source: "default" });
  expect(byName.get("WEBHOOK_SECRET")).toMatchObject({ value: null, source: "environment", isHidden: true });
  expect(byName.get("DASHBOARD_TOKEN")).toMatchObject({ value: null, source: "not set", isHidden: false });
  expect(JSON.stringify(shown)).not.toContain("hunter2");
  const known = ["PRIVATE_KEY", "PRIVATE_KEY_PATH", ...Object.keys(environmentSchema.shape)];
  expect([...byName.keys()].toSorted()).toEqual(known.toSorted());
});
