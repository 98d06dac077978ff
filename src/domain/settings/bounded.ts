import type { Direction, Keys } from "./keys.ts";

/**
 * Returns the operator's values of these keys, changed by a repository's as far as each key allows. Undefined = the
 * repository leaves the key out; for the operator, no limit.
 */
export function bounded<T extends object>(keys: Keys, ours: T, theirs: object): T {
  const moved = Object.entries(keys).flatMap(([name, entry]) => {
    if ("keys" in entry || entry.repository === undefined) return [];
    return [[name, move(entry.repository, Reflect.get(ours, name), Reflect.get(theirs, name))] as const];
  });
  return { ...ours, ...Object.fromEntries(moved) };
}

function move(may: Direction, ours: unknown, theirs: unknown): unknown {
  if (theirs === undefined) return ours;
  switch (may) {
    case "lower":
      return ours === undefined ? theirs : Math.min(Number(ours), Number(theirs));
    case "raise":
      return Math.max(Number(ours), Number(theirs));
    case "switch_on":
      return ours === true || theirs === true;
    case "switch_off":
      return ours === true && theirs === true;
    case "add":
      return [...new Set([ours, theirs].flat())];
    case "replace":
      return Array.isArray(theirs) && theirs.length === 0 ? ours : theirs;
    case "replace_unless_off":
      return ours === false ? ours : theirs;
    case "choose":
      return theirs;
    case "replace_each":
      return Object.fromEntries([ours, theirs].flatMap((each) => Object.entries(each ?? {})));
  }
}
