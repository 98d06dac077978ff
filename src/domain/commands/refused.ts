import { z } from "zod";
import type { Account } from "../events/account.ts";
import type { ChangeSet } from "../kernel/change-set.ts";
import type { DecisionRow } from "../kernel/rows.ts";

const account = z.object({ account: z.int() });

/** Adds the account to a refusal of permission, since logins can change. */
export function refusedOf(changes: ChangeSet, { id }: Pick<Account, "id">): ChangeSet {
  const decisions = changes.decisions.map((decision) =>
    decision.rule === "not_permitted"
      ? { ...decision, inputs: { ...decision.inputs, account: id } }
      : decision,
  );
  return { ...changes, decisions };
}

/**
 * Returns true when the person's acts since then were refused for missing permission; a refusal without an account is
 * matched by login.
 */
export function wasRefused(
  { id, login }: Pick<Account, "id" | "login">,
  since: string,
  { decisions }: { readonly decisions: readonly DecisionRow[] },
): boolean {
  return decisions.some(({ rule, reason, inputs, lastAt }) => {
    if (rule !== "not_permitted" || lastAt < Date.parse(since)) return false;
    const known = account.safeParse(inputs);
    return known.success ? known.data.account === id : reason.startsWith(`@${login} `);
  });
}
