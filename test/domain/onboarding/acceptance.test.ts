import { expect, it } from "vitest";
import { seenRepository, TELLING_FILES } from "../../../src/domain/onboarding/seen-repository.ts";
import { aTop } from "../../factories/a-top.ts";

const commandsOf = (texts: Readonly<Record<string, string>>) => {
  const { run, also } = seenRepository(aTop(texts));
  return [run.map(({ command }) => command), also.map(({ command }) => command)];
};
const script = (test: unknown) => JSON.stringify({ scripts: { test } });
const CMAKE =
  'cmake -S . -B "$TMPDIR/cmake" && cmake --build "$TMPDIR/cmake" && ctest --test-dir "$TMPDIR/cmake" --output-on-failure';

it.each([
  ["Makefile", "all: build\n\ntest: build\n\tgo test\n", "make test"],
  ["package.json", script("vitest run"), "npm test"],
  ["pytest.ini", "[pytest]\n", "python3 -m pytest"],
  ["setup.cfg", "[tool:pytest]\n", "python3 -m pytest"],
  ["pyproject.toml", "[tool.pytest.ini_options]\n", "python3 -m pytest"],
  ["pyproject.toml", "[project]\nname = 'a'\n\n[tool.pytest.ini_options]\n", ".venv/bin/python -m pytest"],
  ["tox.ini", "[tox]\nenvlist = py312\n", "tox"],
  ["tox.ini", "[testenv:lint]\n", "tox"],
  ["Cargo.toml", "[package]\nname = 'a'\n", "cargo test"],
  ["Cargo.toml", "[workspace]\nmembers = []\n", "cargo test"],
  ["go.mod", "module example.com/a\n\ngo 1.24\n", "go test ./..."],
  ["pom.xml", '<?xml version="1.0"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">', "mvn -B -o test"],
  ["CMakeLists.txt", "project(a C)\nenable_testing()\n", CMAKE],
  ["CMakeLists.txt", "if(A)\n  INCLUDE( CTest )\nendif()\n", CMAKE],
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
  ["setup.cfg", "[flake8]\n"],
  ["tox.ini", "[flake8]\n"],
  ["Cargo.toml", "[profile.release]\n"],
  ["go.mod", "// nothing\n"],
  ["go.sum", "module example.com/a\n"],
  ["pom.xml", "<projects>"],
  ["CMakeLists.txt", "# enable_testing()\nproject(a C)\n"],
])("sees none in %s that says %j", (file, text) => {
  expect(commandsOf({ [file]: text })).toEqual([[], []]);
});

it.each(["pnpm", "yarn", "npm"])(
  "has the script test run by %s, where it installs the packages",
  (manager) => {
    const locks = { "package-lock.json": "", "yarn.lock": "", "pnpm-lock.yaml": "" };
    const written = JSON.stringify({ packageManager: `${manager}@1.2.3`, scripts: { test: "vitest run" } });
    expect(commandsOf({ ...locks, "package.json": written })).toEqual([[`${manager} test`], []]);
  },
);

it("takes one of each language, and says of each where it comes from", () => {
  const { run, also } = seenRepository(
    aTop({ "go.mod": "module a\n", "package.json": script("vitest run") }),
  );
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
