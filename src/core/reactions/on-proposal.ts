import type { OccurrenceOf } from "../occurrence.ts";
import { PROPOSED_FILE } from "../onboarding/proposed.ts";
import { decided, type Reaction } from "../reaction.ts";

/** People said what they think of the file that was proposed to them. Nothing follows but the record of it. */
export function onProposalClosed({ actor, pull, merged }: OccurrenceOf<"proposal_closed">): Reaction {
  const inputs = { pull };
  return merged
    ? decided("file_merged", `@${actor.login} merged #${pull}, which adds ${PROPOSED_FILE}`, { inputs })
    : decided("file_declined", `@${actor.login} closed #${pull}, which proposes ${PROPOSED_FILE}`, {
        inputs,
      });
}
