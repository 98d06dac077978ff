/** A person or bot on GitHub. `id` is stable, `login` is not. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization" | "Mannequin" | "Other";
}

/** Who stands in for an account that was deleted, and for a person whom GitHub does not name; may steer nothing. */
export const GHOST: Account = { id: 10137, login: "ghost", type: "User" };

/** GitHub's word for the kind of an account; a kind that is not known is none of those that may steer. */
export function accountType(word: string | undefined): Account["type"] {
  return word === "User" || word === "Bot" || word === "Organization" || word === "Mannequin"
    ? word
    : "Other";
}

/**
 * What an account may do as far as that is known without GitHub: only a person's permission is worth asking for. Bots
 * are known by their numeric id alone, since anybody can register an App and logins can be taken over.
 */
export function standingOf(
  account: Pick<Account, "id" | "type">,
  bots: readonly number[],
): "may" | "may not" | "ask" {
  if (account.type === "Bot") return bots.includes(account.id) ? "may" : "may not";
  return account.type === "User" && account.id !== GHOST.id ? "ask" : "may not";
}
