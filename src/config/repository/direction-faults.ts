import { agentLimits, limitsFor } from "../../domain/breakers/limits.ts";
import { printDuration } from "../../domain/settings/duration.ts";
import type { Direction, Keys } from "../../domain/settings/keys.ts";
import {
  BREAKER_SECTIONS,
  type RepositoryFile,
  TOP_KEYS,
  TOP_SECTIONS,
} from "../../domain/settings/repository-schema.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { printPath, valueAt } from "../written-schema.ts";

/** The operator's and the repository file's values for the same keys, at a path of the file. */
interface Compared {
  readonly path: readonly string[];
  readonly keys: Keys;
  readonly ours: object;
  readonly theirs: object;
}

/** Returns a fault for each key of a repository's file that is looser than the operator's value allows. */
export function directionFaults(file: RepositoryFile, document: unknown, settings: Settings): string[] {
  return compared(file, settings).flatMap(({ path, keys, ours, theirs }) =>
    Object.entries(keys).flatMap(([name, entry]) => {
      const at = [...path, entry.key];
      if (valueAt(document, at) === undefined || "keys" in entry || entry.repository === undefined) return [];
      const fault = directionFault(entry.repository, {
        ours: Reflect.get(ours, name),
        theirs: Reflect.get(theirs, name),
        isDuration: name.endsWith("Ms"),
      });
      return fault === undefined ? [] : [`${printPath(at)}: ${fault}`];
    }),
  );
}

function compared(file: RepositoryFile, settings: Settings): readonly Compared[] {
  const breakers = ["circuit_breakers"];
  const below = (path: readonly string[], sections: typeof TOP_SECTIONS) =>
    sections.map(({ name, key, keys }): Compared => {
      const [ours, theirs] = [Reflect.get(settings, name), Reflect.get(file, name)];
      return { path: [...path, key], keys, ours, theirs };
    });
  const { defaults, roles } = file.limits;
  return [
    { path: [], keys: TOP_KEYS, ours: settings, theirs: file },
    ...below([], TOP_SECTIONS),
    ...below(breakers, BREAKER_SECTIONS),
    { path: [...breakers, "defaults"], keys: agentLimits, ours: settings.limits.defaults, theirs: defaults },
    ...Object.entries(roles).map(([name, theirs]) => ({
      path: [...breakers, "roles", name],
      keys: agentLimits,
      ours: limitsFor(settings, settings.roles.get(name) ?? { name, limits: {} }),
      theirs,
    })),
  ];
}

/** Returns the fault of one value; undefined when its direction is allowed. */
function directionFault(
  may: Direction,
  {
    ours,
    theirs,
    isDuration,
  }: { readonly ours: unknown; readonly theirs: unknown; readonly isDuration: boolean },
): string | undefined {
  if (may === "lower" && typeof ours === "number") {
    const shown = isDuration ? printDuration(ours) : String(ours);
    if (theirs === undefined) return `the operator's limit is ${shown}; a repository only lowers it.`;
    if (Number(theirs) > ours) return `is more than the operator's ${shown}; a repository only lowers it.`;
  }
  if (may === "raise" && Number(theirs) < Number(ours))
    return `is less than the operator's ${String(ours)}; a repository only raises it.`;
  if (may === "switch_on" && ours === true && theirs === false)
    return "the operator has switched it on, and a repository does not switch it off.";
  const mayNotSwitchOn = may === "switch_off" || may === "replace_unless_off";
  if (mayNotSwitchOn && ours === false && theirs !== false)
    return "the operator has switched it off, and a repository does not switch it on.";
  const [some, none] = [Array.isArray(ours) && ours.length > 0, Array.isArray(theirs) && theirs.length === 0];
  if (may === "replace" && some && none)
    return "is empty, and the operator has some; write at least one, or leave the key out.";
  return undefined;
}
