import type { Preset } from "../../adapters/runtimes/acp/preset.ts";
import { PRESETS } from "../../adapters/runtimes/acp/presets/presets.ts";
import { suggestion } from "../../config/nearest.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import type { CommandContext } from "../command.ts";
import { refused } from "../refused.ts";

export type InstallablePreset = Preset & { readonly package: NonNullable<Preset["package"]> };

/** Returns the preset that the argument after the verb names, or the exit code after a refusal. */
export function namedPreset(context: CommandContext, verb: string): InstallablePreset | number {
  const [, name, ...more] = context.args;
  const known = [...PRESETS.keys()];
  const hint = `Run \`flotilla runtimes ${verb} ${known.join(" | ")}\`.`;
  if (name === undefined || more.length > 0) return refused(context, "Name one runtime.", hint);
  if (name === BUILT_IN_RUNTIME)
    return refused(context, `${name} is part of Flotilla: there is nothing to ${verb}.`, hint);
  const preset = PRESETS.get(name);
  if (preset === undefined || preset.package === null)
    return refused(context, `There is no runtime "${name}".${suggestion(name, known)}`, hint);
  return { ...preset, package: preset.package };
}
