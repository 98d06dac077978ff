import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly } from "../kernel/change-set.ts";
import { PROPOSED_FILE } from "./proposed.ts";

/** People said what they think of the file that was proposed to them. Nothing follows but the record of it. */
export function onProposalClosed({ actor, pull, merged }: DomainEventOf<"proposal_closed">): ChangeSet {
  const inputs = { pull };
  return merged
    ? decisionOnly("file_merged", `@${actor.login} merged #${pull}, which adds ${PROPOSED_FILE}`, { inputs })
    : decisionOnly("file_declined", `@${actor.login} closed #${pull}, which proposes ${PROPOSED_FILE}`, {
        inputs,
      });
}
