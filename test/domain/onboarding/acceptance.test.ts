import { expect, it } from "vitest";
import { seenCommands, TELLING_FILES } from "../../../src/domain/onboarding/acceptance.ts";

const files = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts));
const commandsOf = (texts: Readonly<Record<string, string>>) => {
  const { run, also } = seenCommands(files(texts));
  return [run.map(({ command }) => command), also.map(({ command }) => command)];
};
const script = (test: unknown) => JSON.stringify({ scripts: { test } });

it.each([
  ["Makefile", "all: build\n\ntest: build\n\tgo test\n", "make test"],
  ["package.json", script("vitest run"), "npm test"],
  ["pyproject.toml", "[project]\nname = 'a'\n\n[tool.pytest.ini_options]\n", "python3 -m pytest"],
  ["tox.ini", "[tox]\nenvlist = py312\n", "tox"],
  ["tox.ini", "[testenv:lint]\n", "tox"],
  ["Cargo.toml", "[package]\nname = 'a'\n", "cargo test"],
  ["Cargo.toml", "[workspace]\nmembers = []\n", "cargo test"],
  ["go.mod", "module example.com/a\n\ngo 1.24\n", "go test ./..."],
])("sees in %s that says %j how it is tested", (file, text, command) => {
  expect(TELLING_FILES).toContain(file);
  expect(commandsOf({ [file]: text })).toEqual([[command], []]);
});

it.each([
  ["Makefile", "tests:\n\ttrue\n"],
  ["Makefile", "test := yes\n"],
  ["Makefile", "  test:\n"],
  ["package.json", script('echo "Error: no test specified" && exit 1')],
  ["package.json", script("  ")],
  ["package.json", script(7)],
  ["package.json", "{}"],
  ["package.json", "null"],
  ["package.json", "{ no JSON"],
  ["pyproject.toml", "[tool.ruff]\n"],
  ["tox.ini", "[flake8]\n"],
  ["Cargo.toml", "[profile.release]\n"],
  ["go.mod", "// nothing\n"],
  ["go.sum", "module example.com/a\n"],
])("sees none in %s that says %j", (file, text) => {
  expect(commandsOf({ [file]: text })).toEqual([[], []]);
});

it("takes one of each language, and says of each where it comes from", () => {
  const { run, also } = seenCommands(files({ "go.mod": "module a\n", "package.json": script("vitest run") }));
  expect(run).toEqual([
    { command: "npm test", why: "package.json has a script test" },
    { command: "go test ./...", why: "go.mod names a module" },
  ]);
  expect(also).toEqual([]);
});

it("takes the Makefile's alone where it has one, since that runs the others", () => {
  expect(commandsOf({ "package.json": script("vitest run"), Makefile: "test:\n" })).toEqual([
    ["make test"],
    ["npm test"],
  ]);
});

it("takes pytest before tox, which runs it", () => {
  expect(commandsOf({ "tox.ini": "[tox]\n", "pyproject.toml": "[tool.pytest]\n" })).toEqual([
    ["python3 -m pytest"],
    ["tox"],
  ]);
});
