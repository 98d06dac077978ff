import { expect, it } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { limitsFor } from "../../src/domain/breakers/limits.ts";
import { proposedFile } from "../../src/domain/onboarding/onboarding-file.ts";
import { PROPOSED_FILE } from "../../src/domain/onboarding/proposed.ts";
import { seenRepository } from "../../src/domain/onboarding/seen-repository.ts";
import { afterTrial } from "../../src/domain/onboarding/trial.ts";
import { REPOSITORY_FILE } from "../../src/domain/settings/repository-file-path.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { aTop } from "../factories/a-top.ts";
import { aTriedCommand } from "../factories/a-tried-command.ts";
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

const COUNT = seen.setup.length + seen.run.length;
/** Each command that is proposed, as it ended when those of these numbers failed. */
function fileAfter(failed: readonly number[]) {
  const commands = [
    ...seen.setup.map(({ command }) => aTriedCommand(command)),
    ...seen.run.map(({ command }) => aTriedCommand(command, { kind: "acceptance" })),
  ].map((one, at) => (failed.includes(at) ? { ...one, exitCode: 1 } : one));
  return proposedFile(settings, afterTrial(settings, seen, { kind: "tried", commands }));
}
const EACH = Array.from({ length: COUNT }, (_, at) => at);

it.each([...EACH.map((at) => [at]), [0, COUNT - 1], EACH].map((failed) => ({ failed })))(
  "what did not succeed in a trial, $failed, is not in force once merged, and is without its signs",
  ({ failed }) => {
    const before = force(settings);
    const text = fileAfter(failed);
    const stands = (at: number) => !failed.includes(at);
    const setup = SETUP.commands.filter((_, at) => stands(at));
    const run = COMMANDS.filter((_, at) => stands(at + SETUP.commands.length));
    expect(forceWith(text) ?? before).toEqual({
      ...before,
      setup: setup.length === 0 ? before.setup : { ...SETUP, commands: setup },
      evidence: { ...before.evidence, commands: run },
    });
    const whole = { ...before, setup: SETUP, evidence: { ...before.evidence, commands: COMMANDS } };
    expect(forceWith(inForce(text))).toEqual(whole);
  },
);

it("a list is set by taking one sign from each of its lines, as an editor does", () => {
  const parts = fileAfter(EACH).split("\n\n");
  const unsigned = parts.slice(1, 3).map((part) => {
    const [head = "", list = ""] = part.split(/^(?=# (?:setup|evidence):)/m);
    return head + list.replaceAll(/^# /gm, "");
  });
  expect(forceWith(unsigned.join("\n"))).toMatchObject({
    setup: { commands: SETUP.commands },
    evidence: { commands: COMMANDS },
  });
});
