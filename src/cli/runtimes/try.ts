import { agentDirectory, installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { refuseUnreadable } from "./file-faults.ts";
import { namedPreset } from "./named-preset.ts";
import { creates, scriptedTurn } from "./scripted-turn.ts";
import { trialRunner } from "./trial-runner.ts";

/** `flotilla runtimes try`: a turn of an installed agent in the sandbox, against a scripted model; costs nothing. */
export async function tryAgent(context: CommandContext): Promise<number> {
  const preset = namedPreset(context, "try");
  if (typeof preset === "number") return preset;
  const { print, options, env } = context;
  const dataDir = dataDirectory(context);
  refuseUnreadable(dataDir);
  const packages = agentDirectory(dataDir, preset.name);
  const version = installedVersion(preset, packages);
  if (version === null)
    return refused(
      context,
      `${preset.title} is not installed.`,
      `Run \`flotilla runtimes add ${preset.name}\`.`,
    );
  const runner = trialRunner({ mode: "bubblewrap" }, env);
  if (runner === null)
    return refused(
      context,
      "bubblewrap is not installed, and a runtime is tried only in the sandbox.",
      "Install bubblewrap, for example with `apt-get install bubblewrap`.",
    );
  const program = { name: preset.name, preset, packages, file: null };
  const result = await working(`${preset.title} works`, () =>
    scriptedTurn({ create: creates(program), api: preset.api, runner, env }),
  );
  const isAsTried = version === preset.package.version;
  const isGood = result.end === "idle" && result.called && result.started.length === 0;
  if (options["json"] === true)
    print(
      JSON.stringify({ name: preset.name, version, tried: preset.package.version, good: isGood, ...result }),
    );
  else {
    print(
      `${preset.title} ${version}${isAsTried ? "" : `; Flotilla was tested with ${preset.package.version}`}.`,
    );
    print(
      `Its turn ended as ${result.end}, ${result.called ? "with" : "without"} a call of Flotilla's tool.`,
    );
    print(`First model call after ${result.firstCallMs} ms, with about ${result.promptTokens} tokens.`);
    print(
      result.started.length === 0
        ? "It started no program that the repository's files name."
        : `It started programs that these files of the repository name: ${result.started.join(", ")}.`,
    );
    for (const sentence of preset.cannot) print(sentence);
    print(
      isGood
        ? `To use it, name it below \`runtimes\` in the configuration: docs/runtimes.md shows how.`
        : `Do not use it. Run \`flotilla runtimes add ${preset.name}\`, and try it again.`,
    );
  }
  return isGood ? 0 : 2;
}
