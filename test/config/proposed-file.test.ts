import { expect, it } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { limitsFor } from "../../src/domain/breakers/limits.ts";
import { proposedFile } from "../../src/domain/onboarding/onboarding-file.ts";
import { PROPOSED_FILE } from "../../src/domain/onboarding/proposed.ts";
import { seenRepository } from "../../src/domain/onboarding/seen-repository.ts";
import { REPOSITORY_FILE } from "../../src/domain/settings/repository-file-path.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { aTop } from "../factories/a-top.ts";
import { someSettings } from "../factories/some-settings.ts";

const NETWORK = [
  "registry.npmjs.org",
  "pypi.org",
  "files.pythonhosted.org",
  "proxy.golang.org",
  "sum.golang.org",
];
const plain = someSettings();
const settings = {
  ...plain,
  setup: { ...plain.setup, repositoriesMay: { ...plain.setup.repositoriesMay, hosts: NETWORK } },
};
const seen = seenRepository(
  aTop({
    "package.json": JSON.stringify({ scripts: { test: "vitest run" } }),
    "pnpm-lock.yaml": "",
    "pyproject.toml": "[build-system]\n[tool.pytest.ini_options]\n",
    "poetry.lock": "",
    "go.mod": "module example.com/a\n",
    "go.sum": "",
    "CMakeLists.txt": "enable_testing()\n",
    "pom.xml": "<project>",
  }),
);
const COMMANDS = seen.run.map(({ command }) => command);
const SETUP = {
  ...settings.setup,
  commands: seen.setup.map(({ command }) => command),
  network: NETWORK,
  cache: ["pnpm", "poetry"],
};

/** What a repository's file can change, as it is in force. */
const force = (given: Settings) => ({
  setup: given.setup,
  evidence: given.evidence,
  review: given.review,
  merge: given.merge,
  branches: given.branches,
  roles: [...given.roles.values()].map((role) => [role, limitsFor(given, role)]),
});

/** What is in force in a repository with this file; the file has no fault. */
function forceWith(text: string) {
  const { override, faults } = readRepositoryFile(text, settings);
  expect(faults).toEqual([]);
  return override === undefined ? null : force(settingsFor(settings, override));
}

/** Every line that is a comment only for now. */
const inForce = (text: string) => text.replaceAll(/^# (?=\s*(?:[a-z][\w-]*:|- ))/gm, "");

it("what is proposed is the file that is read, and sets what was seen and nothing else", () => {
  expect(PROPOSED_FILE).toBe(REPOSITORY_FILE);
  const before = force(settings);
  expect(forceWith(proposedFile(settings, seen))).toEqual({
    ...before,
    setup: SETUP,
    evidence: { ...before.evidence, commands: COMMANDS },
  });
});

it("what is proposed where nothing was seen may be merged, and changes nothing", () => {
  expect(forceWith(proposedFile(settings, { setup: [], run: [], also: [] }))).toEqual(force(settings));
});

it("what stands in its comments can be set as it stands there, and changes nothing more", () => {
  const before = force(settings);
  expect(forceWith(inForce(proposedFile(settings, seen)))).toEqual({
    ...before,
    setup: SETUP,
    evidence: { ...before.evidence, commands: COMMANDS },
  });
});
