/**
 * A host name and never an address: letters, digits and hyphens between dots, at least two labels, a letter in the last
 * one.
 */
const NAME =
  /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?=[a-z\d-]*[a-z])[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/** Names that always mean this machine or its network. */
const LOCAL = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/;

/** Returns true for a name that a list of allowed hosts may hold: lower case, no dot at its end, no address. */
export function isHostName(name: string): boolean {
  return NAME.test(name) && !LOCAL.test(name);
}
