import { messageOf } from "../core/errors.ts";
import { reaches } from "../core/permission.ts";
import type { Account, GitHub } from "../core/ports/github.ts";
import type { Log } from "../core/ports/log.ts";
import { fullName, type RepositoryRef } from "../core/repository.ts";
import type { Settings } from "../core/settings.ts";

/** True when the account's permission reaches `policy.who_may_command`, or it is a bot on `policy.bots`. */
export type WhoMayAsk = (repository: RepositoryRef, account: Account) => Promise<boolean>;

/**
 * Asks GitHub for a person's permission; a failed look-up counts as no. Bots are known by their numeric id alone:
 * anybody can register an App, and logins can be taken over.
 */
export function createWhoMayAsk(options: {
  settings: Pick<Settings, "policy">;
  github: Pick<GitHub, "permission">;
  log: Log;
}): WhoMayAsk {
  const { policy } = options.settings;
  return async (repository, account) => {
    if (account.type === "Bot") return policy.bots.includes(account.id);
    if (account.type !== "User") return false;
    try {
      const permission = await options.github.permission(repository, account.login);
      return reaches(permission, policy.whoMayCommand);
    } catch (error) {
      const fields = {
        repository: fullName(repository),
        login: account.login,
        error: messageOf(error),
      };
      options.log.warn(fields, "a permission could not be read and counts as none");
      return false;
    }
  };
}
