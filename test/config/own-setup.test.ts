import { expect, test } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { someSettings } from "../factories/some-settings.ts";

const base = someSettings();
const OPERATOR = {
  ...base,
  setup: {
    ...base.setup,
    network: ["registry.npmjs.org"],
    repositoriesMay: {
      commands: true,
      services: true,
      hosts: ["pypi.org", "proxy.golang.org", "static.crates.io"],
    },
  },
};

function setupOf(text: string) {
  const { override, faults } = readRepositoryFile(`setup: ${text}`, OPERATOR);
  expect(faults).toEqual([]);
  return override === undefined ? undefined : settingsFor(OPERATOR, override).setup;
}

test.each([
  ["Node", "{ commands: [npm ci], cache: [npm] }", ["npm ci"], ["registry.npmjs.org"], ["npm"]],
  ["Python", "{ commands: [pip install .], network: [pypi.org] }", ["pip install ."], ["pypi.org"], []],
  [
    "Go",
    "{ commands: [go mod download], network: [proxy.golang.org] }",
    ["go mod download"],
    ["proxy.golang.org"],
    [],
  ],
  [
    "Rust",
    "{ commands: [cargo fetch], network: [static.crates.io] }",
    ["cargo fetch"],
    ["static.crates.io"],
    [],
  ],
])("one installation serves a %s repository by its own file", (_, text, commands, network, cache) => {
  expect(setupOf(text)).toMatchObject({ commands, network, cache });
});

test("a host that the operator does not permit is a notice that names it, and the rest of the file counts", () => {
  const text = "setup: { commands: [make], network: [pypi.org, evil.test] }";
  const { override, notices } = readRepositoryFile(text, OPERATOR);
  expect(notices).toEqual([
    expect.stringMatching(/flotilla\.yml: setup\.network: evil\.test is not permitted/),
  ]);
  expect(override && settingsFor(OPERATOR, override).setup).toMatchObject({
    commands: ["make"],
    network: ["pypi.org"],
  });
});

test("where the operator lets no repository name commands, they are a fault", () => {
  const closed = {
    ...OPERATOR,
    setup: { ...OPERATOR.setup, repositoriesMay: { commands: false, services: true, hosts: [] } },
  };
  expect(readRepositoryFile("setup: { commands: [make] }", closed).faults).toEqual([
    expect.stringContaining("setup.commands: the operator lets no repository set it"),
  ]);
});
