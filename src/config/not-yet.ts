import { printPath, valueAt } from "./written-schema.ts";

interface Pending {
  /** Path of the key; `*` stands for any name or list item. */
  readonly path: string;
  /** What has to be built first. */
  readonly until: string;
}

/** Keys that are accepted and change nothing yet. A value other than the default is answered with a notice. */
export const NOT_YET: readonly Pending[] = [
  { path: "retries.coder_poll_interval", until: "goals and sprints" },
];

/** What is pending for the key at this path, for the reference. */
export function pendingAt(path: string): Pending | undefined {
  return NOT_YET.find((pending) => matches(pending.path.split("."), path.split(".")));
}

/** One notice for every key of the document that is not in force yet and differs from its default. */
export function notYetNotices(document: unknown, defaults: unknown): string[] {
  return NOT_YET.flatMap((pending) =>
    pathsOf(document, pending.path.split(".")).flatMap((path) => {
      const value = valueAt(document, path);
      if (JSON.stringify(value) === JSON.stringify(valueAt(defaults, path))) return [];
      return [
        `config: key ${printPath(path)} is accepted but not in force yet (it waits for ${pending.until})`,
      ];
    }),
  );
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((part, at) => part === "*" || part === path[at]);
}

/** The paths of `document` that a pattern matches. */
function pathsOf(document: unknown, pattern: readonly string[]): PropertyKey[][] {
  let found: PropertyKey[][] = [[]];
  for (const part of pattern) {
    found = found.flatMap((path) => {
      const here = valueAt(document, path);
      if (typeof here !== "object" || here === null) return [];
      const keys: PropertyKey[] = Array.isArray(here) ? [...here.keys()] : Object.keys(here);
      return keys.filter((key) => part === "*" || key === part).map((key) => [...path, key]);
    });
  }
  return found;
}
