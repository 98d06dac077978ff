import type { Registry } from "../access/registry.ts";
import { nodePackages } from "./node-package.ts";
import { configuresPytest } from "./python-tests.ts";
import { firstThere, type RepositoryTop, type SeenCommand, textOf } from "./repository-top.ts";

/** A setup command that a repository suggests, and what it needs. */
export interface SeenSetup extends SeenCommand {
  /** Hosts that it loads packages from. */
  readonly network: readonly string[];
  /** Names of directories below FLOTILLA_CACHE that it uses. */
  readonly cache: readonly string[];
  /** The kind of registry that stands in for these hosts; null where none does. */
  readonly registry: Registry["kind"] | null;
}

/** Where `-m venv` and the other programs for Python put what they install. */
export const VENV_PYTHON = ".venv/bin/python";

const NPM = { network: ["registry.npmjs.org"], registry: "npm" } as const;
const YARN = { network: ["registry.yarnpkg.com", "registry.npmjs.org"], registry: null } as const;
const PYPI = { network: ["pypi.org", "files.pythonhosted.org"], registry: "pypi" } as const;
const there = (name: string): string => `${name} is there`;

/**
 * Returns the setup commands that a repository suggests, one for each language. A command is a fixed text: nothing that
 * stands in a file of the repository becomes a part of it.
 */
export function seenSetup(top: RepositoryTop): readonly SeenSetup[] {
  return [node(top), python(top), go(top), rust(top), java(top)].filter((one) => one !== null);
}

function node(top: RepositoryTop): SeenSetup | null {
  const packages = nodePackages(top);
  if (packages === null) return null;
  const { manager, lock } = packages;
  const why = lock === null ? "package.json names dependencies, and no lock file is there" : there(lock);
  if (manager === "pnpm")
    return {
      command: 'pnpm install --frozen-lockfile --store-dir "$FLOTILLA_CACHE/pnpm"',
      why,
      cache: ["pnpm"],
      ...NPM,
    };
  if (manager === "yarn" && top.names.has(".yarnrc.yml"))
    return {
      command: 'YARN_GLOBAL_FOLDER="$FLOTILLA_CACHE/yarn" yarn install --immutable',
      why: `${why}, and .yarnrc.yml`,
      cache: ["yarn"],
      ...YARN,
    };
  if (manager === "yarn")
    return {
      command: 'yarn install --frozen-lockfile --cache-folder "$FLOTILLA_CACHE/yarn"',
      why,
      cache: ["yarn"],
      ...YARN,
    };
  const install = lock === null ? "npm install --no-package-lock" : "npm ci";
  return { command: `${install} --cache "$FLOTILLA_CACHE/npm"`, why, cache: ["npm"], ...NPM };
}

const REQUIREMENTS = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt"];

function python(top: RepositoryTop): SeenSetup | null {
  if (top.names.has("uv.lock"))
    return {
      command: 'uv sync --frozen --cache-dir "$FLOTILLA_CACHE/uv"',
      why: there("uv.lock"),
      cache: ["uv"],
      ...PYPI,
      registry: null,
    };
  if (top.names.has("poetry.lock"))
    return {
      command:
        'POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_CACHE_DIR="$FLOTILLA_CACHE/poetry" poetry install --no-interaction',
      why: there("poetry.lock"),
      cache: ["poetry"],
      ...PYPI,
      registry: null,
    };
  const requirements = REQUIREMENTS.filter((name) => top.names.has(name));
  const isPackage = /^\[(?:project|build-system)\]/m.test(textOf(top, "pyproject.toml"));
  const itself = isPackage ? "pyproject.toml" : firstThere(top, ["setup.py"]);
  const wanted = [
    ...requirements.map((name) => `-r ${name}`),
    ...(itself === undefined ? [] : ["-e ."]),
    ...(configuresPytest(top) ? ["pytest"] : []),
  ];
  const signs = [...requirements, ...(itself === undefined ? [] : [itself])];
  if (signs.length === 0) return null;
  const install = `.venv/bin/pip install --cache-dir "$FLOTILLA_CACHE/pip" ${wanted.join(" ")}`;
  return {
    command: `python3 -m venv .venv && ${install}`,
    why: signs.map(there).join(", "),
    cache: ["pip"],
    ...PYPI,
  };
}

function go(top: RepositoryTop): SeenSetup | null {
  const text = textOf(top, "go.mod");
  if (!/^module\s+\S/m.test(text)) return null;
  if (!top.names.has("go.sum") && !/^require\b/m.test(text)) return null;
  return {
    command: "go mod download",
    why: "go.mod requires modules",
    network: ["proxy.golang.org", "sum.golang.org"],
    cache: [],
    registry: "go",
  };
}

function rust(top: RepositoryTop): SeenSetup | null {
  if (!/^\[(?:package|workspace)\]/m.test(textOf(top, "Cargo.toml"))) return null;
  const locked = top.names.has("Cargo.lock");
  return {
    command: locked ? "cargo fetch --locked" : "cargo fetch",
    why: there(locked ? "Cargo.lock" : "Cargo.toml"),
    network: ["index.crates.io", "static.crates.io"],
    cache: [],
    registry: null,
  };
}

function java(top: RepositoryTop): SeenSetup | null {
  if (!/<project[\s>]/.test(textOf(top, "pom.xml"))) return null;
  return {
    command: "mvn -B dependency:go-offline",
    why: "pom.xml is there; Maven loads only from a registry of the operator",
    network: [],
    cache: [],
    registry: "maven",
  };
}
