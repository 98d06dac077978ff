import type { Preset } from "../../adapters/runtimes/acp/preset.ts";
import { PRESETS } from "../../adapters/runtimes/acp/presets/presets.ts";
import { suggestion } from "../../config/nearest.ts";
import type { CommandContext } from "../command.ts";
import { refused } from "../refused.ts";

export type InstallablePreset = Preset & { readonly package: NonNullable<Preset["package"]> };

/** Returns the preset that the argument after the verb names, or the exit code after a refusal. */
export function namedPreset(context: CommandContext, verb: string): InstallablePreset | number {
  const [, name, ...more] = context.args;
  const known = [...PRESETS.keys()];
  const hint = `Run \`flotilla runtimes ${verb} ${known.join(" | ")}\`.`;
  if (name === undefined || more.length > 0) return refused(context, "Name one agent.", hint);
  const preset = PRESETS.get(name);
  if (preset === undefined || preset.package === null)
    return refused(context, `There is no agent "${name}".${suggestion(name, known)}`, hint);
  return { ...preset, package: preset.package };
}
