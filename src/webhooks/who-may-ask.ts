import { reaches } from "../domain/access/permission.ts";
import { type Account, knownPermission } from "../domain/events/account.ts";
import { messageOf, OutsideError } from "../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../domain/kernel/repository.ts";
import type { GitHub } from "../domain/ports/github.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Settings } from "../domain/settings/settings.ts";

/**
 * Returns whether the account's permission reaches `policy.who_may_command`, or it is a bot on `policy.bots`.
 */
export type WhoMayAsk = (repository: RepositoryRef, account: Account) => Promise<boolean>;

/**
 * Reads a person's permission from GitHub. Throws while GitHub's limits forbid the request: the caller tries again later, so
 * that what the person did is not lost. Any other failed read counts as no, and `unread` is called. Our own App never has permission,
 * even if listed: its own acts would start it again.
 */
export function createWhoMayAsk(options: {
  settings: Pick<Settings, "policy">;
  github: Pick<GitHub, "permission">;
  identity: { readonly botId: number };
  log: Log;
  unread: (account: Account, error: string) => void;
}): WhoMayAsk {
  const { policy } = options.settings;
  return async (repository, account) => {
    if (account.id === options.identity.botId) return false;
    const known = knownPermission(account, policy.bots);
    if (known !== "ask") return known === "may";
    try {
      const permission = await options.github.permission(repository, account);
      return reaches(permission, policy.whoMayCommand);
    } catch (error) {
      if (error instanceof OutsideError && error.consequence === "park") throw error;
      const { login } = account;
      const fields = { repository: fullName(repository), login, error: messageOf(error) };
      options.log.warn(fields, "permission not read, treated as none");
      options.unread(account, fields.error);
      return false;
    }
  };
}
