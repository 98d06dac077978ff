import { messageOf } from "../core/errors.ts";
import { reaches } from "../core/permission.ts";
import type { Account } from "../core/ports/github.ts";
import type { RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";

/** Whether a model may be shown what this account writes. A permission that cannot be asked for is none. */
export async function mayBeRead(
  context: EngineContext,
  repository: RepositoryRow,
  { id, login, type }: Account,
): Promise<boolean> {
  const { readUntrusted, bots, whoMayCommand } = context.settings.policy;
  if (readUntrusted || id === context.identity.botId || bots.includes(id)) return true;
  if (type !== "User") return false;
  try {
    return reaches(await context.github.permission(repository, login), whoMayCommand);
  } catch (error) {
    context.log.warn(
      { error: messageOf(error), login },
      "what somebody wrote is not shown: their permission could not be read",
    );
    return false;
  }
}

/** Those by people whose words a model may be shown, and how many others there are. */
export async function trusted<Said extends { readonly author: Account }>(
  context: EngineContext,
  repository: RepositoryRow,
  said: readonly Said[],
): Promise<{ readonly shown: readonly Said[]; readonly hidden: number }> {
  const shown: Said[] = [];
  for (const one of said) if (await mayBeRead(context, repository, one.author)) shown.push(one);
  return { shown, hidden: said.length - shown.length };
}
