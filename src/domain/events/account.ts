/** A person or bot on GitHub. `id` is stable, `login` is not. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization" | "Mannequin" | "Other";
}

/** The account used for a deleted account, and for a person whom GitHub does not name; has no permission. */
export const GHOST: Account = { id: 10137, login: "ghost", type: "User" };

/** Returns the type of an account by GitHub's name for it; an unknown type has no permission. */
export function accountType(word: string | undefined): Account["type"] {
  return word === "User" || word === "Bot" || word === "Organization" || word === "Mannequin"
    ? word
    : "Other";
}

/**
 * Returns what an account may do, as far as that is known without GitHub: only a person's permission is looked up. Bots
 * are identified by their numeric id, since anybody can register an App and logins can be taken over.
 */
export function knownPermission(
  account: Pick<Account, "id" | "type">,
  bots: readonly number[],
): "may" | "may not" | "ask" {
  if (account.type === "Bot") return bots.includes(account.id) ? "may" : "may not";
  return account.type === "User" && account.id !== GHOST.id ? "ask" : "may not";
}
