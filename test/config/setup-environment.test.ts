import { expect, test } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { faultsOf, load, SOUND_YAML } from "./workplace.ts";

const FILE = ".github/flotilla.yml: ";
const written = (variables: string) => `setup:\n  environment:\n    ${variables}\n`;
const operator = (variables = "{}") =>
  load(`${SOUND_YAML}setup: { environment: ${variables}, commands: [npm ci] }\n`).config;

test("a repository adds variables to the operator's and replaces values, and changes nothing else of setup", () => {
  const base = operator('{ A: "ours", B: "$HOME" }');
  const { override, faults } = readRepositoryFile(written('{ A: "theirs", C: "" }'), base);
  expect(faults).toEqual([]);
  const { setup } = settingsFor(base, override ?? { roles: {}, limits: { defaults: {}, roles: {} } });
  expect(setup).toEqual({
    commands: ["npm ci"],
    network: [],
    cache: [],
    reuse: [],
    repositoriesMay: { commands: true, services: true, hosts: [] },
    environment: { A: "theirs", B: "$HOME", C: "" },
  });
  expect(base.setup.environment).toEqual({ A: "ours", B: "$HOME" });
});

test.each([
  ["PATH: /tmp", "setup.environment.PATH: Flotilla or the shell sets it; take it out."],
  [
    "https_proxy: x",
    "setup.environment.https_proxy: the sandbox decides what reaches the network; take it out.",
  ],
  ["A: 3000", 'setup.environment.A: write text in quotes, such as "3000" or "true".'],
  ["A:", 'setup.environment.A: write text in quotes, such as "3000" or "true".'],
  ['A: "a\\0b"', "setup.environment.A: contains a NUL character; take it out."],
  [`A: ${"x".repeat(4097)}`, "setup.environment.A: is longer than 4096 bytes; make it shorter."],
  ["Ü: x", "setup.environment.Ü: is not the name of a variable;"],
  ['"A\\nB": x', "setup.environment.A\nB: is not the name of a variable;"],
  ["MODEL_API_KEY: x", "setup.environment.MODEL_API_KEY: runtime.provider.api_key_env names it"],
  ["__proto__: { A: x }", "YAML: __proto__ is no key; write another name."],
  ["constructor: { A: x }", "setup.environment.constructor: write text in quotes"],
])("both files refuse %j, with the name and the reason", (variables, fault) => {
  const said = expect.stringContaining(fault);
  expect(readRepositoryFile(written(variables), operator()).faults).toEqual([said]);
  expect(faultsOf(`${SOUND_YAML}${written(variables)}`)).toEqual([said]);
});

test.each([
  "postgres://me:swordfish@db/test",
  "ghp_0123456789abcdefghij0123456789abcdef",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
])("a repository's value that the database would not keep as it is, is a fault: %j", (value) => {
  const text = written(
    `{ URL: ${JSON.stringify(value)}, PGPASSWORD: "swordfish", PLAIN: "postgres://me@db/test" }`,
  );
  expect(readRepositoryFile(text, operator()).faults).toEqual([
    `${FILE}setup.environment.URL: looks like a secret (a token, a key, a password in an address), which Flotilla does not store; take it out.`,
  ]);
  expect(faultsOf(`${SOUND_YAML}${text}`)).toEqual([]);
});

test("so is a command's", () => {
  const text = 'evidence: { commands: ["npm test", "psql postgres://me:swordfish@db/test"] }';
  expect(readRepositoryFile(text, operator()).faults).toEqual([
    expect.stringContaining("evidence.commands[1]: looks like a secret"),
  ]);
});

test("a file of any size ends in a fault that does not quote it", () => {
  const long = "x".repeat(5_000_000);
  expect(readRepositoryFile(written(`A: ${long}`), operator()).faults).toEqual([
    `${FILE}is longer than 16384 bytes; make it shorter.`,
  ]);
  expect(faultsOf(`${SOUND_YAML}${written(`A: ${long}`)}`)).toEqual([
    expect.stringMatching(/setup\.environment\.A: is longer than 4096 bytes; make it shorter\.$/),
  ]);
});

test("what repositories may set of setup is the operator's alone", () => {
  const { faults } = readRepositoryFile("setup: { repositories_may: { commands: true } }", operator());
  expect(faults).toEqual([
    `${FILE}setup.repositories_may: only the operator sets it, for all repositories; take it out.`,
  ]);
});
