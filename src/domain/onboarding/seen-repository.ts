import type { Settings } from "../settings/settings.ts";
import { seenTests } from "./acceptance.ts";
import { type SeenSetup, seenSetup } from "./preparation.ts";
import { PYTEST_FILES } from "./python-tests.ts";
import type { RepositoryTop, SeenCommand } from "./repository-top.ts";

/** How a repository is prepared and tested, as its own files suggest it; nothing where none is recognised. */
export interface SeenRepository {
  readonly setup: readonly SeenSetup[];
  /** The acceptance commands. */
  readonly run: readonly SeenCommand[];
  /** Those that most likely run within another. */
  readonly also: readonly SeenCommand[];
}

/** Files at the top of a repository whose texts are read for it. */
export const TELLING_FILES: readonly string[] = [
  "Makefile",
  "package.json",
  "tox.ini",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "CMakeLists.txt",
  ...PYTEST_FILES,
];

/** Returns what the files at the top of a repository suggest: fixed texts, chosen by what is there. */
export function seenRepository(top: RepositoryTop): SeenRepository {
  const setup = seenSetup(top);
  const prepared = setup.some(({ command }) => /\b(?:venv|uv|poetry) /.test(command));
  return { setup, ...seenTests(top, prepared) };
}

/** Returns the hosts that the setup commands load from; a registry of the operator stands in for those of its kind. */
export function hostsOf(
  setup: readonly SeenSetup[],
  { registries }: Pick<Settings, "registries">,
): readonly string[] {
  const open = setup.filter(({ registry }) => !registries.some(({ kind }) => kind === registry));
  return [...new Set(open.flatMap(({ network }) => network))];
}

/** Returns those of the hosts that the operator does not permit; none where nothing is confined. */
export function unpermittedHosts(
  hosts: readonly string[],
  { setup, sandbox }: Pick<Settings, "setup" | "sandbox">,
): readonly string[] {
  if (sandbox.mode === "none") return [];
  return hosts.filter((host) => !setup.network.includes(host) && !setup.repositoriesMay.hosts.includes(host));
}

/** Returns whether the setup commands that were seen may take effect: the operator has none, and permits them. */
export function setupTakesEffect(
  { setup }: Pick<Settings, "setup">,
  seen: Pick<SeenRepository, "setup">,
): boolean {
  return seen.setup.length > 0 && setup.commands.length === 0 && setup.repositoriesMay.commands;
}
