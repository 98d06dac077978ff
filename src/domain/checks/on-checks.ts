import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, NO_CHANGES } from "../kernel/change-set.ts";

/**
 * Reads the checks of a commit from GitHub again for those that wait for them; the webhook's own result is not trusted.
 */
export function onChecksChanged(event: DomainEventOf<"checks_changed">, view: IssueState): ChangeSet {
  const waiting = view.agents.filter(
    ({ state, sleepReason, category, headCommit }) =>
      headCommit === event.commit &&
      ((state === "SLEEPING" && sleepReason === "checks") ||
        (state === "ESCALATED" && category === "expired")),
  );
  const { task } = view;
  const reviewed =
    task !== null &&
    task.reviewCommit === event.commit &&
    // The checks of rejected work may pass without a change: then the failure was not the commit's.
    ["READY_FOR_REVIEW", "APPROVED", "REJECTED", "CLAIMED"].includes(task.state);
  if (waiting.length === 0 && !reviewed)
    return decisionOnly("nobody_waits", `nobody waits for the checks of ${event.commit}`);
  return {
    ...NO_CHANGES,
    effects: [
      ...waiting.map(({ id }) => ({ kind: "look_at_checks", agentId: id }) as const),
      ...(reviewed ? [{ kind: "look_at_review_checks", task: task.id } as const] : []),
      // Its turn in the merge queue may have come.
      ...(reviewed && task.state === "APPROVED" ? [{ kind: "look_at_train" } as const] : []),
    ],
  };
}
