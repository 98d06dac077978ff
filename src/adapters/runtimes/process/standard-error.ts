/** Characters kept of the end of what an agent writes to its standard error: it could write without end. */
const KEPT = 2000;

/** Returns what is kept of it, where `more` follows what was kept `before`. */
export function keptErrors(before: string, more: string): string {
  return `${before}${more}`.slice(-KEPT);
}
