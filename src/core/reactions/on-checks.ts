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
  // Its turn in the merge train may have come.
  if (task?.state === "APPROVED" && task.reviewCommit === occurrence.commit)
    return { ...NOTHING, effects: [{ kind: "look_at_train" }] };
  if (waiting.length === 0)
    return decided("nobody_waits", `no agent waits for the checks of ${occurrence.commit}`);
  return { ...NOTHING, effects: waiting.map(({ id }) => ({ kind: "look_at_checks", agentId: id })) };
}
