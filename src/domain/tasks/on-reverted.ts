import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";

/** Merged work was taken back. The task stays merged: whoever wants it again says so, and the ledger counts it. */
export function onReverted({ actor }: DomainEventOf<"reverted">, { task }: IssueState): ChangeSet {
  if (task?.state !== "MERGED")
    return decisionOnly("nobody_concerned", `what @${actor.login} reverted is not work that Flotilla merged`);
  return decisionOnly("nothing_to_do", `@${actor.login} reverted what was merged for it`, {
    change: "to have it done again, reopen the issue or say `/flotilla start`",
  });
}
