import { expect, test } from "vitest";
import { faultsOf, load, SOUND_YAML } from "./workplace.ts";

const CONFINED = SOUND_YAML.replace("{ mode: none }", "{ mode: bubblewrap }");
const env = { NPM_TOKEN: "npm_token-of-the-registry" };
const npm = (url: string) => `{ kind: npm, url: "${url}", token_env: NPM_TOKEN }`;

const faults = (registries: string, sandbox = "{ mode: bubblewrap }", given = env) =>
  faultsOf(`${SOUND_YAML.replace("{ mode: none }", sandbox)}registries: [${registries}]\n`, { env: given });

test("a registry has its token from the environment, where no copy or print of the configuration shows it", () => {
  const { config } = load(`${CONFINED}registries: [${npm("https://npm.example.com/npm")}]\n`, { env });
  const registry = { kind: "npm", url: "https://npm.example.com/npm/", tokenEnv: "NPM_TOKEN" };
  expect(config.registries).toEqual([registry]);
  expect(config.secrets.registries).toEqual([{ ...registry, token: env.NPM_TOKEN }]);
  expect(JSON.stringify(config)).not.toContain(env.NPM_TOKEN);
});

test.each([
  ["{ mode: bubblewrap, private_hosts: [npm.corp.internal] }", "http://npm.corp.internal:8081/npm/"],
  ["{ mode: bubblewrap, network: proxy }", "https://npm.example.com/"],
])("sandbox: %s with %s is sound", (sandbox, url) => {
  expect(faults(npm(url), sandbox)).toEqual([]);
});

test.each([
  [npm("npm.example.com"), "registries[0].url: write the registry's whole address"],
  [npm("https://me:secret@npm.example.com/"), "registries[0].url: holds a user name or password"],
  [npm("https://npm.example.com/?a=b"), "registries[0].url: holds a query"],
  [npm("http://npm.example.com/"), "registries[0].url: would send the token unencrypted; write https"],
  [
    '{ kind: npm, url: "https://a.example.com/", token_env: "npm-token" }',
    "write the name of an environment variable",
  ],
  ['{ kind: deb, url: "https://a.example.com/", token_env: NPM_TOKEN }', "registries[0].kind"],
  ['{ kind: npm, url: "https://a.example.com/" }', "registries[0].token_env"],
  [`${npm("https://a.example.com/")}, ${npm("https://b.example.com/")}`, "is a second registry for npm"],
  [
    '{ kind: generic, url: "https://a.example.com/x/", token_env: NPM_TOKEN }, { kind: generic, url: "https://a.example.com/y/", token_env: NPM_TOKEN }',
    "FLOTILLA_REGISTRY_A_EXAMPLE_COM",
  ],
])("%s is refused", (registries, fault) => {
  expect(faults(registries)).toEqual([expect.stringContaining(fault)]);
});

test("a token that is missing, or that no header holds, is a fault that names its variable and quotes nothing", () => {
  const one = npm("https://npm.example.com/");
  expect(faults(one, undefined, { NPM_TOKEN: "" })).toEqual([
    "config.yaml: registries[0].token_env: the environment variable NPM_TOKEN is not set; set it to the registry's token.",
  ]);
  const [fault] = faults(one, undefined, { NPM_TOKEN: "two\nlines" });
  expect(fault).toContain("holds what no header can");
  expect(fault).not.toContain("lines\n");
});

test.each([
  [`registries: [${npm("https://npm.example.com/")}]`, "{ mode: none }"],
  ["", "{ mode: none, private_hosts: [npm.corp.internal] }"],
])("without a sandbox there is nothing to lead to a registry: %s %s", (registries, sandbox) => {
  expect(faultsOf(`${SOUND_YAML.replace("{ mode: none }", sandbox)}${registries}\n`, { env })).toEqual([
    expect.stringContaining("sandbox.mode: none has no proxy"),
  ]);
});

test.each(["https://npm.corp.internal", "npm.corp.internal:8081", "*.internal", "NPM.internal"])(
  "%s is no name of a private host",
  (name) => {
    expect(faults("", `{ mode: bubblewrap, private_hosts: ["${name}"] }`)).toEqual([
      expect.stringContaining("write the whole name or IPv4 address of a host"),
    ]);
  },
);
