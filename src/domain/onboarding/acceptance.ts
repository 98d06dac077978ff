/** A command that a file of the repository suggests, and why. Neither contains text of the file. */
export interface SeenCommand {
  readonly command: string;
  readonly why: string;
}

interface Sign extends SeenCommand {
  readonly file: string;
  readonly seen: (text: string) => boolean;
}

/** The signs in a repository's files of how it is tested; only commands that a file suggests are proposed. */
const SIGNS: readonly Sign[] = [
  {
    file: "Makefile",
    command: "make test",
    why: "Makefile has a target test",
    seen: (text) => /^test[ \t]*:(?!=)/m.test(text),
  },
  {
    file: "package.json",
    command: "npm test",
    why: "package.json has a script test",
    seen: hasTestScript,
  },
  {
    file: "pyproject.toml",
    command: "python3 -m pytest",
    why: "pyproject.toml configures pytest",
    seen: (text) => /^\[tool\.pytest[\].]/m.test(text),
  },
  {
    file: "tox.ini",
    command: "tox",
    why: "tox.ini has test environments",
    seen: (text) => /^\[(?:tox|testenv)[\]:]/m.test(text),
  },
  {
    file: "Cargo.toml",
    command: "cargo test",
    why: "Cargo.toml is a package or a workspace",
    seen: (text) => /^\[(?:package|workspace)\]/m.test(text),
  },
  {
    file: "go.mod",
    command: "go test ./...",
    why: "go.mod names a module",
    seen: (text) => /^module\s+\S/m.test(text),
  },
];

/** Files at the root of a repository that are read for these signs. */
export const TELLING_FILES: readonly string[] = SIGNS.map(({ file }) => file);

/**
 * Returns the acceptance commands that a repository suggests, from the texts of its files by path. `also` are those
 * that most likely run within another: a Makefile's target runs the tests of its languages, and tox runs pytest.
 */
export function seenCommands(files: ReadonlyMap<string, string>): {
  readonly run: readonly SeenCommand[];
  readonly also: readonly SeenCommand[];
} {
  const found = SIGNS.filter(({ file, seen }) => seen(files.get(file) ?? ""));
  const python = found.some(({ command }) => command === "python3 -m pytest");
  const runs = ({ file, command }: Sign): boolean =>
    found[0]?.file === "Makefile" ? file === "Makefile" : !(command === "tox" && python);
  return {
    run: found.filter(runs).map(told),
    also: found.filter((sign) => !runs(sign)).map(told),
  };
}

const told = ({ command, why }: Sign): SeenCommand => ({ command, why });

/** Returns true for a script that somebody wrote: `npm init` adds one that only fails. */
function hasTestScript(text: string): boolean {
  const script: unknown = Object(Object(parsed(text)).scripts).test;
  return typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
