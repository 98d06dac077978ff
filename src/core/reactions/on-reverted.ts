import type { OccurrenceOf } from "../occurrence.ts";
import { decided, type Reaction, type View } from "../reaction.ts";

/** Merged work was taken back. The task stays merged: whoever wants it again says so, and the ledger counts it. */
export function onReverted({ actor }: OccurrenceOf<"reverted">, { task }: View): Reaction {
  if (task?.state !== "MERGED")
    return decided("nobody_concerned", `what @${actor.login} reverted is not work that Flotilla merged`);
  return decided("nothing_to_do", `@${actor.login} reverted what was merged for it`, {
    change: "to have it done again, reopen the issue or say `/flotilla start`",
  });
}
