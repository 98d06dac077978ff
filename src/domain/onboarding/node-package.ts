import { firstThere, type RepositoryTop, textOf } from "./repository-top.ts";

/** The package managers of Node that are known here, each with the files by which it fixes versions. */
const MANAGERS = {
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  npm: ["package-lock.json", "npm-shrinkwrap.json"],
} as const;
type NodeManager = keyof typeof MANAGERS;

/** Files that say that another program installs the packages. */
const OTHERS = ["bun.lock", "bun.lockb", "deno.lock"];

/** The manager of the packages and the lock file it follows; `lock` null = there is none. */
export interface NodePackages {
  readonly manager: NodeManager;
  readonly lock: string | null;
}

/**
 * Returns how the packages of a repository are installed; null where there are none, or where a program does it that is
 * not known here. Of several lock files, that of the manager in `packageManager` counts.
 */
export function nodePackages(top: RepositoryTop): NodePackages | null {
  if (!top.names.has("package.json")) return null;
  const written = packageJson(top);
  const [, named] = /^([a-z]+)@/.exec(String(written["packageManager"])) ?? [];
  const managers: readonly NodeManager[] = ["pnpm", "yarn", "npm"];
  const locked = managers.flatMap((manager) => {
    const lock = firstThere(top, MANAGERS[manager]);
    return lock === undefined ? [] : [{ manager, lock }];
  });
  const chosen = locked.find(({ manager }) => manager === named) ?? locked[0];
  if (chosen !== undefined) return chosen;
  if (firstThere(top, OTHERS) !== undefined || !hasDependencies(written)) return null;
  return named === undefined || named === "npm" ? { manager: "npm", lock: null } : null;
}

/** Returns true for a script `test` that somebody wrote: `npm init` adds one that only fails. */
export function hasTestScript(top: RepositoryTop): boolean {
  const script: unknown = Object(packageJson(top)["scripts"]).test;
  return typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");
}

const hasDependencies = (written: Readonly<Record<string, unknown>>): boolean =>
  ["dependencies", "devDependencies"].some((key) => Object.keys(Object(written[key])).length > 0);

/** Returns what package.json says; nothing where it is missing or no JSON. */
function packageJson(top: RepositoryTop): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(textOf(top, "package.json")));
  } catch {
    return {};
  }
}
