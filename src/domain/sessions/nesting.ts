/** Levels that the arguments of a call may be nested. No tool needs so many, and code that goes down them has an end. */
export const DEEPEST = 100;

/** Stands for the arguments of a call that is refused for this. */
export const TOO_DEEP = `arguments that are nested more than ${DEEPEST} levels deep`;

/** Returns whether a JSON value is nested deeper than arguments may be. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
