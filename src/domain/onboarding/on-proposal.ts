import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly } from "../kernel/change-set.ts";
import { PROPOSED_FILE } from "./proposed.ts";

/** Records that people merged or closed the proposed file; nothing else follows. */
export function onProposalClosed({ actor, pull, merged }: DomainEventOf<"proposal_closed">): ChangeSet {
  const inputs = { pull };
  return merged
    ? decisionOnly("file_merged", `@${actor.login} merged #${pull}, which adds ${PROPOSED_FILE}`, { inputs })
    : decisionOnly("file_declined", `@${actor.login} closed #${pull}, which proposes ${PROPOSED_FILE}`, {
        inputs,
      });
}
