/** Letters, digits and hyphens between dots, two labels at least, the last with a letter: a name, never numbers. */
const NAME =
  /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?=[a-z\d-]*[a-z])[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/** Names that mean this machine or its network wherever they are asked for. */
const LOCAL = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/;

/**
 * Returns true for a name that a list of allowed hosts may hold: written small, without a dot at its end, no address.
 */
export function isHostName(name: string): boolean {
  return NAME.test(name) && !LOCAL.test(name);
}
