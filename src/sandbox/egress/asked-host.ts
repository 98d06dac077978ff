import { isHostName } from "../../core/host-name.ts";

/**
 * The host that a CONNECT asks for; null when it is not `name:443` with a name of the list, in letters of any case.
 * Compared as a whole: nothing is decoded, trimmed or resolved before.
 */
export function askedHost(target: string, allowed: readonly string[]): string | null {
  const name = /^([A-Za-z\d.-]+):443$/.exec(target)?.[1]?.toLowerCase();
  return name !== undefined && isHostName(name) && allowed.includes(name) ? name : null;
}
