import type { Account } from "../events/account.ts";

/** Who gave a verdict. */
export interface Reviewer {
  /** The role of an agent, or the person's login at that time, for display; people can change their login. */
  readonly reviewer: string;
  /** The id of the person's account; null for an agent; `UNKNOWN_ACCOUNT` where it was stored without one. */
  readonly account: number | null;
}

/** No account on GitHub has this id. */
export const UNKNOWN_ACCOUNT = 0;

export const personAs = ({ login, id }: Pick<Account, "login" | "id">): Reviewer => ({
  reviewer: login,
  account: id,
});

export const roleAs = (role: string): Reviewer => ({ reviewer: role, account: null });

/** Returns whether two verdicts come from one reviewer: people are identified by their account, roles by their name. */
export function isSameReviewer(one: Reviewer, other: Reviewer): boolean {
  if (one.account === UNKNOWN_ACCOUNT || other.account === UNKNOWN_ACCOUNT)
    return one.reviewer === other.reviewer;
  return one.account === other.account && (one.account !== null || one.reviewer === other.reviewer);
}
