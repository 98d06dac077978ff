import { agentDirectory, installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import { lockOf } from "../../adapters/runtimes/acp/presets/locks.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { refuseUnreadable } from "./file-faults.ts";
import { install } from "./install.ts";
import { damagedFiles } from "./installed-files.ts";
import { namedPreset } from "./named-preset.ts";

/** `flotilla runtimes add`: installs the version of an agent that its preset names, also in place of a damaged one. */
export async function add(context: CommandContext): Promise<number> {
  const preset = namedPreset(context, "add");
  if (typeof preset === "number") return preset;
  const { print, options, env } = context;
  const dataDir = dataDirectory(context);
  refuseUnreadable(dataDir);
  const directory = agentDirectory(dataDir, preset.name);
  const { name, version, megabytes } = preset.package;
  const lock = lockOf(preset.name);
  const damage = installedVersion(preset, directory) === version ? await damageOf(directory) : null;
  const told = (text: string): void => {
    if (options["json"] !== true) print(text);
  };
  const isThere = damage === "";
  if (isThere)
    told(
      `${preset.title} is already installed, and its files are whole: ${name} ${version}, in ${directory}.`,
    );
  else {
    if (damage !== null) told(`${preset.title} is damaged: ${damage}. It is installed again.`);
    told(`Installing ${name} ${version} into ${directory}: about ${megabytes} MB.`);
    if (lock === null)
      told(
        `Its own packages may differ from those that were tested: there is no lock file for ${process.platform} ${process.arch}.`,
      );
    await untilInterrupted((signal) =>
      working("npm resolves the packages", ({ show }) =>
        install({
          preset,
          lock,
          directory,
          env,
          signal,
          progress: (arrived) => show(`${arrived} packages have arrived`),
        }),
      ),
    );
    told(
      `${preset.title} is ${damage === null ? "installed" : "repaired"}. Try it: \`flotilla runtimes try ${preset.name}\`.`,
    );
  }
  if (options["json"] === true)
    print(
      JSON.stringify({
        name: preset.name,
        package: name,
        version,
        directory,
        installed: !isThere,
        damage: damage === "" ? null : damage,
      }),
    );
  return 0;
}

/** Returns what is wrong with an installation; empty where all its files are as they were installed. */
async function damageOf(directory: string): Promise<string> {
  const files = await damagedFiles(directory);
  if (files === null) return "the list of its files is missing";
  const [first, ...more] = files;
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  return `${first}${others} ${more.length === 0 ? "is" : "are"} missing or altered`;
}
