import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly } from "../kernel/change-set.ts";
import { LESSONS_FILE } from "./lesson-file.ts";

/** Records that people merged or closed a proposed lesson; nothing else follows. */
export function onLessonClosed({ actor, pull, merged }: DomainEventOf<"proposal_closed">): ChangeSet {
  const inputs = { pull };
  return merged
    ? decisionOnly("file_merged", `@${actor.login} merged #${pull}, which adds a lesson to ${LESSONS_FILE}`, {
        inputs,
      })
    : decisionOnly("file_declined", `@${actor.login} closed #${pull}, which proposes a lesson`, {
        change: "nothing: the same line is not proposed again",
        inputs,
      });
}
