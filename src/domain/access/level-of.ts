import { riskAboveOf } from "../merge-queue/risk-above.ts";
import { type Level, lower } from "./level.ts";

export interface LevelSettings {
  readonly level: Level;
  readonly levels: {
    /** Levels by patterns of `owner/name`, in the order of the configuration. */
    readonly repositories: Readonly<Record<string, Level>>;
    /** Levels by labels of issues. */
    readonly labels: Readonly<Record<string, Level>>;
  };
}

/** Returns true when a pattern matches `owner/name`. `*` stands for any characters but `/`; case does not matter. */
export function matchesRepository(pattern: string, fullName: string): boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
  return new RegExp(`^${source}$`, "i").test(fullName);
}

/** Returns the level of the first pattern that matches the repository; without a match, the general level. */
export function levelIn({ level, levels }: LevelSettings, fullName: string): Level {
  const found = Object.entries(levels.repositories).find(([pattern]) => matchesRepository(pattern, fullName));
  return found?.[1] ?? level;
}

/** Returns whether Flotilla merges approved work of a repository by itself. */
export function mergesItself(
  settings: LevelSettings & { readonly merge: { readonly auto: boolean } },
  fullName: string,
): boolean {
  return settings.merge.auto && levelIn(settings, fullName) === "merge";
}

/** Returns whether Flotilla, and not a person, merges this work once it is approved. */
export function mergesWork(
  settings: Parameters<typeof mergesItself>[0],
  name: string,
  task: Parameters<typeof riskAboveOf>[0],
): boolean {
  return mergesItself(settings, name) && riskAboveOf(task) === null;
}

/**
 * Returns the level of an issue. A label can only lower it, since people may set labels who may not decide the level.
 * Case does not matter, as on GitHub.
 */
export function levelOfIssue(settings: LevelSettings, fullName: string, labels: readonly string[]): Level {
  const put = new Set(labels.map((label) => label.toLowerCase()));
  return Object.entries(settings.levels.labels)
    .filter(([label]) => put.has(label.toLowerCase()))
    .reduce((level, [, one]) => lower(level, one), levelIn(settings, fullName));
}
