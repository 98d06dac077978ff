import { describe, expect, test } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { configuredSecrets } from "../../src/server/known-secrets.ts";
import { faultsOf, load, SOUND_YAML } from "./workplace.ts";

const SERVERS = `mcp_servers:
  docs: { command: [docs-server], env: { TOKEN: DOCS_TOKEN }, tools: [search, read] }
  desk: { url: "https://desk.example.com/mcp", header: { name: Authorization, value_env: DESK_HEADER }, tools: [find] }
`;
const LABELED = "triggers: [{ event: issues.labeled, label: crash }]";
const ROLES = `roles:
  mender: { prompt: mender.md, ${LABELED} }
`;
const ENV = { DOCS_TOKEN: "token-of-the-docs", DESK_HEADER: "Bearer key-of-the-desk" };
const roleFile = (servers: string) =>
  `---\ndescription: Mends.\ntools: [read, report_complete]\nmcp_servers: ${servers}\n---\nYou mend.\n`;
const given = (servers: string) => ({ env: ENV, files: { "config/roles/mender.md": roleFile(servers) } });
const sound = `${SOUND_YAML}${SERVERS}${ROLES}`;

test("a role gets the tools of the servers that its file names, and no others", () => {
  const { config, notices } = load(sound, given("[desk, docs]"));
  expect(config.roles.get("mender")?.mcpTools).toEqual(["desk__find", "docs__search", "docs__read"]);
  expect(load(sound, given("[docs]")).config.roles.get("mender")?.mcpTools).toEqual([
    "docs__search",
    "docs__read",
  ]);
  expect(notices).toEqual([]);
});

test("the values of its variables are secrets: they are in no printed configuration, and are redacted", () => {
  const { config } = load(sound, given("[docs]"));
  expect(JSON.stringify(config)).not.toMatch(/token-of-the-docs|key-of-the-desk/);
  expect(configuredSecrets(config)).toEqual(
    expect.arrayContaining(["token-of-the-docs", "Bearer key-of-the-desk", "key-of-the-desk"]),
  );
});

test.each([
  [
    "[dcos]",
    'mcp_servers[0]: there is no MCP server "dcos" in mcp_servers of the configuration. Did you mean "docs"?',
  ],
  ["[docs, docs]", 'mcp_servers[1]: "docs" is listed twice; take one out.'],
  ["{ docs: {} }", "mcp_servers: "],
])("a role file with mcp_servers: %s is refused", (servers, fault) => {
  expect(faultsOf(sound, given(servers))).toEqual([
    expect.stringContaining(`config/roles/mender.md: ${fault}`),
  ]);
});

test("an evaluator gets no server", () => {
  const files = {
    "config/roles/evaluator.md":
      "---\ndescription: E\ntools: [read, submit_evaluation]\nmcp_servers: [docs]\n---\nx\n",
  };
  const yaml = `${SOUND_YAML}${SERVERS}roles:
  evaluator: { prompt: evaluator.md, evidence: none }
`;
  expect(faultsOf(yaml, { env: ENV, files })).toEqual([
    expect.stringContaining("take out docs__search"),
    expect.stringContaining("take out docs__read"),
  ]);
});

const servers = (text: string) => faultsOf(`${SOUND_YAML}mcp_servers: { docs: { ${text} } }\n`, { env: ENV });

describe("a server of the configuration", () => {
  test.each([
    ["tools: [a]", "write either command or url"],
    ['command: [a], url: "https://docs.example.com", tools: [a]', "write either command or url"],
    ["command: [], tools: [a]", "mcp_servers.docs.command"],
    ["command: [a], tools: []", "mcp_servers.docs.tools"],
    ["command: [a]", "mcp_servers.docs.tools"],
    ["command: [a], tools: [a, a]", "is listed twice"],
    ["command: [a], tools: [a.b]", "is not a name that models can call"],
    [`command: [a], tools: [${"x".repeat(60)}]`, "is too long"],
    ['url: "http://docs.example.com", tools: [a]', "write an https address"],
    ['url: "https://me:key@docs.example.com", tools: [a]', "write an https address"],
    ['url: "docs", tools: [a]', "write an https address"],
    ["command: [a], header: { name: A, value_env: DOCS_TOKEN }, tools: [a]", "goes with url"],
    ['url: "https://docs.example.com", env: { A: DOCS_TOKEN }, tools: [a]', "goes with command"],
    ['url: "https://docs.example.com", hosts: [docs.example.com], tools: [a]', "goes with command"],
    ['url: "https://docs.example.com", readable: [/opt], tools: [a]', "goes with command"],
    ["command: [a], readable: [opt], tools: [a]", "write an absolute path"],
    ["command: [a], readable: [/opt/../etc], tools: [a]", "write an absolute path"],
    ["command: [a], hosts: [10.0.0.1], tools: [a]", "write the whole name of a host"],
    ["command: [a], env: { A: 'a b' }, tools: [a]", "write the name of an environment variable"],
    ["command: [a], tools: [a], cwd: /", "cwd"],
  ])("{ %s } is refused", (text, fault) => {
    expect(servers(text).join("\n")).toContain(fault);
  });

  test("with a variable that is not set is refused, and names it", () => {
    const yaml = `${SOUND_YAML}mcp_servers: { docs: { command: [a], env: { A: NOT_SET }, tools: [a] } }\n`;
    expect(faultsOf(yaml)).toEqual([
      "config.yaml: mcp_servers.docs.env.A: the environment variable NOT_SET is not set; set it, or take the key out.",
    ]);
  });

  test("with a value in several lines is refused, and is not quoted", () => {
    const yaml = `${SOUND_YAML}mcp_servers: { docs: { command: [a], env: { A: LINES }, tools: [a] } }\n`;
    expect(faultsOf(yaml, { env: { LINES: "first\nsecond" } })).toEqual([
      "config.yaml: mcp_servers.docs.env.A: the environment variable LINES holds a line end; write it in one line.",
    ]);
  });

  test.each(["Docs", "a__b", "a_b", "-a"])("is not named %s", (name) => {
    expect(
      faultsOf(`${SOUND_YAML}mcp_servers: { ${name}: { command: [a], tools: [a] } }\n`).join("\n"),
    ).toContain("write a server's name in lower case");
  });

  test("names hosts only where a sandbox holds it back from others", () => {
    expect(servers("command: [a], hosts: [docs.example.com], tools: [a]")).toEqual([
      expect.stringContaining("mcp_servers.docs.hosts: sandbox.mode: none holds it back from no host"),
    ]);
  });

  test("may be at an address of this machine without TLS", () => {
    expect(servers('url: "http://127.0.0.1:8931/mcp", tools: [a]')).toEqual([]);
  });
});

const own = (listed: string) => {
  const { config } = load(sound, given("[docs]"));
  const text = "roles: { mender: { prompt: mender.md } }";
  const read = readRepositoryFile(text, config, new Map([["mender.md", roleFile(listed)]]));
  return { ...read, role: read.override && settingsFor(config, read.override).roles.get("mender") };
};

describe("a repository's own role file", () => {
  test("may leave the operator's servers out, or keep them", () => {
    expect(own("[docs]").role?.mcpTools).toEqual(["docs__search", "docs__read"]);
    expect(own("[]").role?.mcpTools).toEqual([]);
  });

  test("gets no server that the operator's role does not have", () => {
    expect(own("[desk]").faults).toEqual([expect.stringContaining('there is no MCP server "desk"')]);
  });
});
