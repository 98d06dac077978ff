import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly } from "../kernel/change-set.ts";
import { isLessonBranch } from "../lessons/lesson-line.ts";
import { onLessonClosed } from "../lessons/on-lesson-closed.ts";
import { PROPOSED_FILE } from "./proposed.ts";

/** Records that people merged or closed the proposed file; nothing else follows. */
export function onProposalClosed(event: DomainEventOf<"proposal_closed">): ChangeSet {
  const { actor, pull, merged, headRef } = event;
  const inputs = { pull };
  if (isLessonBranch(headRef)) return onLessonClosed(event);
  return merged
    ? decisionOnly("file_merged", `@${actor.login} merged #${pull}, which adds ${PROPOSED_FILE}`, { inputs })
    : decisionOnly("file_declined", `@${actor.login} closed #${pull}, which proposes ${PROPOSED_FILE}`, {
        inputs,
      });
}
