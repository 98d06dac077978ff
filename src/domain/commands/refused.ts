import { z } from "zod";
import type { Account } from "../events/account.ts";
import type { ChangeSet } from "../kernel/change-set.ts";
import type { DecisionRow } from "../kernel/rows.ts";

const account = z.object({ account: z.int() });

/** With the account of whom it refuses beside their login, which they can change. */
export function refusedOf(reaction: ChangeSet, { id }: Pick<Account, "id">): ChangeSet {
  const decisions = reaction.decisions.map((decision) =>
    decision.rule === "not_permitted"
      ? { ...decision, inputs: { ...decision.inputs, account: id } }
      : decision,
  );
  return { ...reaction, decisions };
}

/** The person may not steer, and what they did since then was answered so; a refusal without an account is of the login. */
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
