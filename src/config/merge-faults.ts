import type { ConfigFile } from "./schema.ts";

/** Merging goes beyond every other level, so it is said twice. */
export function mergeFaults(
  { merge, level, levels }: Pick<ConfigFile, "merge" | "level" | "levels">,
  file: string,
): string[] {
  if (!merge.auto || [level, ...Object.values(levels.repositories)].includes("merge")) return [];
  return [
    `${file}: merge.auto: true needs \`level: merge\`, and the level is ${level}; write \`level: merge\`, or \`merge: { auto: false }\`.`,
  ];
}
