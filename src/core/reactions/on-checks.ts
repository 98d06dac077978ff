import type { OccurrenceOf } from "../occurrence.ts";
import { decided, NOTHING, type Reaction, type View } from "../reaction.ts";

/** Something was said about the checks of a commit: who waits for them is looked at; what was said is not believed. */
export function onChecksChanged(occurrence: OccurrenceOf<"checks_changed">, view: View): Reaction {
  const waiting = view.agents.filter(
    ({ state, sleepReason, category, headCommit }) =>
      headCommit === occurrence.commit &&
      ((state === "SLEEPING" && sleepReason === "checks") ||
        (state === "ESCALATED" && category === "expired")),
  );
  const { task } = view;
  const reviewed =
    task !== null &&
    task.reviewCommit === occurrence.commit &&
    // What is rejected may pass without a change: then the failure is known for what it is.
    ["READY_FOR_REVIEW", "APPROVED", "REJECTED", "CLAIMED"].includes(task.state);
  if (waiting.length === 0 && !reviewed)
    return decided("nobody_waits", `nobody waits for the checks of ${occurrence.commit}`);
  return {
    ...NOTHING,
    effects: [
      ...waiting.map(({ id }) => ({ kind: "look_at_checks", agentId: id }) as const),
      ...(reviewed ? [{ kind: "look_at_review_checks", task: task.id } as const] : []),
      // Its turn in the merge train may have come.
      ...(reviewed && task.state === "APPROVED" ? [{ kind: "look_at_train" } as const] : []),
    ],
  };
}
