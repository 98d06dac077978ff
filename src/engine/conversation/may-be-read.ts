import { reaches } from "../../domain/access/permission.ts";
import { type Account, knownPermission } from "../../domain/events/account.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Returns whether a model may read what this account writes. A permission that cannot be read counts as none.
 */
export async function mayBeRead(
  context: EngineContext,
  repository: RepositoryRow,
  author: Account,
): Promise<boolean> {
  const { readUntrusted, bots, whoMayCommand } = context.settings.policy;
  if (readUntrusted) return true;
  const permission = knownPermission(author, [...bots, context.identity.botId]);
  if (permission !== "ask") return permission === "may";
  try {
    return reaches(await context.github.permission(repository, author), whoMayCommand);
  } catch (error) {
    context.log.warn(
      { error: messageOf(error), login: author.login },
      "text withheld: its author's permission was not read",
    );
    return false;
  }
}

/** Returns the texts by people whom a model may read, and the number of the others. */
export async function trusted<Said extends { readonly author: Account }>(
  context: EngineContext,
  repository: RepositoryRow,
  said: readonly Said[],
): Promise<{ readonly shown: readonly Said[]; readonly hidden: number }> {
  const shown: Said[] = [];
  for (const one of said) if (await mayBeRead(context, repository, one.author)) shown.push(one);
  return { shown, hidden: said.length - shown.length };
}
