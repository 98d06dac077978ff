import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defaultSettings } from "../../config/default-settings.ts";
import { faultsOfSet, unsetForServe } from "../../config/environment.ts";
import { readSettings } from "../../config/read-settings.ts";
import { readRepositoryFileAt } from "../../config/repository/from-disk.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { TOOL_NAMES } from "../../engine/tools/catalog.ts";
import type { Command, CommandContext } from "../command.ts";
import { DECLARED } from "../declared.ts";
import { faultsToFix } from "../faults-to-fix.ts";
import { refused } from "../refused.ts";

export const check: Command = {
  name: "check",
  summary:
    "check the configuration and the role files; a repository's own file, and whether its commands work",
  usage: "flotilla check [--file <path> | --repo owner/name]",
  details: [
    "Lists every fault with its path in the file, and faults of environment variables that are set. It checks the file that FLOTILLA_CONFIG names, or config.yaml.",
    "With --file it checks a repository's own .github/flotilla.yml and the role files in .github/flotilla/roles against that configuration, or against the defaults if you have none, and names the roles and services that hold there.",
    "With --repo it reads the file of a repository where the App is installed, from the default branch, and names its faults. If the file is in order, it runs the setup and acceptance commands once in a clean checkout, in the same sandbox as an agent, and prints of each how long it took and how it ended. Of a command that fails it shows the end of the output and what Flotilla's proxy refused. Where the repository has no file, it prints the one that its lock files and manifests suggest, and tries that. Nothing is written to GitHub, and the checkout is removed, also after Ctrl-C.",
  ],
  options: {
    repo: {
      type: "string",
      value: "owner/name",
      says: "check this repository's file on GitHub, and try its commands",
    },
    file: { type: "string", value: "file", says: "check this file as a repository's .github/flotilla.yml" },
  },
  examples: [
    "flotilla check",
    "FLOTILLA_CONFIG=staging.yaml flotilla check --json",
    "flotilla check --file .github/flotilla.yml",
    "flotilla check --repo acme/shop",
  ],
  async run(context) {
    const { env, cwd, print, options } = context;
    const path = resolve(cwd, env["FLOTILLA_CONFIG"] || "config.yaml");
    const { file, repo } = options;
    if (typeof repo === "string" && typeof file === "string")
      return refused(context, "--file and --repo name two different files.", "Give one of them.");
    if (typeof repo === "string") {
      // Loads the sandbox and GitHub, which nothing else here needs.
      const { checkRepository } = await import("./check-repository.ts");
      return checkRepository(context, repo);
    }
    if (typeof file === "string") return checkRepositoryFile(context, { config: path, file });
    const read = readSettings({ path, cwd, variables: env, ...DECLARED });
    const { settings } = read;
    const unset = unsetForServe(env);
    const notices = [
      ...read.notices,
      ...(unset.length === 0 ? [] : [`not set yet, and needed by \`flotilla serve\`: ${unset.join(", ")}.`]),
    ];
    const roleList = settings === undefined ? [] : [...settings.roles];
    if (roleList.length > 0 && roleList.every(([, { evidence }]) => evidence === "verdict"))
      notices.push(
        "roles: none of them works on issues, so there is no work of agents to review; add a role, such as feat-dev of config.example.yaml.",
      );
    const faults = [...faultsOfSet(env), ...read.faults];
    const roles = roleList.map(([name]) => name);
    if (options["json"] === true) {
      print(JSON.stringify({ path, ok: faults.length === 0, faults, notices, roles }));
    } else {
      for (const fault of faults) print(`fault: ${fault}`);
      for (const notice of notices) print(`notice: ${notice}`);
      print(
        faults.length === 0 ? `${path} is in order. Roles: ${roles.join(", ")}.` : `${faultsToFix(faults)}.`,
      );
    }
    return faults.length === 0 ? 0 : 1;
  },
};

/**
 * Implements `check --file`: checks a repository's own file against this configuration, or against the
 * defaults, because a maintainer does not have the operator's configuration. Contacts nobody.
 */
function checkRepositoryFile(
  { env, cwd, print, options }: CommandContext,
  { config, file }: { readonly config: string; readonly file: string },
): number {
  const path = resolve(cwd, file);
  const configured = existsSync(config);
  const against = configured ? config : "the defaults";
  const base = configured
    ? readSettings({ path: config, cwd, variables: env, ...DECLARED })
    : { settings: defaultSettings(cwd, TOOL_NAMES), faults: [], notices: [] };
  const read = base.settings && readRepositoryFileAt(path, base.settings);
  const faults = [...base.faults, ...(read?.faults ?? [])];
  const notices = [...base.notices, ...(read?.notices ?? [])];
  const merged = read?.override && base.settings && settingsFor(base.settings, read.override);
  const roles = [...(merged?.roles.keys() ?? [])];
  const services = Object.keys(merged?.services ?? {});
  if (options["json"] === true) {
    print(JSON.stringify({ path, against, ok: faults.length === 0, faults, notices, roles, services }));
  } else {
    for (const fault of faults) print(`fault: ${fault}`);
    for (const notice of notices) print(`notice: ${notice}`);
    print(
      faults.length === 0
        ? `${path} is in order, checked against ${against}. Roles there: ${roles.join(", ")}.${services.length === 0 ? "" : ` Services: ${services.join(", ")}.`}`
        : `${faultsToFix(faults)}, checked against ${against}.`,
    );
  }
  return faults.length === 0 ? 0 : 1;
}
