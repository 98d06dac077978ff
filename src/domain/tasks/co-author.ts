import type { Account } from "../events/account.ts";

/**
 * Returns the co-author that a commit names for the person who asked for the work, as GitHub links it to the account; null
 * for a bot or an organization.
 */
export function coAuthor({ id, login, type }: Account): string | null {
  if (type !== "User") return null;
  return `${login} <${id}+${login}@users.noreply.github.com>`;
}

/**
 * Returns the login of whoever asked for the work: who began the newest of these attempts that somebody began. `begunBy` is
 * in the order of the attempts. Null for an operator (`operator:<account>`), whose account is none of GitHub's.
 */
export function askedBy(begunBy: readonly string[], self: string): string | null {
  const login = begunBy.findLast((actor) => actor !== self);
  return login === undefined || login.includes(":") ? null : login;
}
