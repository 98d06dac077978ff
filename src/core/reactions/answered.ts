import type { Effect } from "../effect.ts";
import { type Hold, holdEnds, holdText } from "../hold.ts";
import type { Refusal } from "../machine.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { joined, NOTHING, type Reaction } from "../reaction.ts";
import { wouldChange } from "../would-change.ts";

type Commented = OccurrenceOf<"commented">;

/** A comment of its own that answers a command. */
export function answer(occurrence: Commented, body: string): Reaction {
  return { ...NOTHING, effects: [{ kind: "post_comment", name: `answer-${occurrence.commentId}`, body }] };
}

/** The reply to a command that was taken while something else still holds the agents; nothing where nothing does. */
export function stillHeld(occurrence: Commented, verb: string, holds: readonly Hold[]): Reaction {
  if (holds.length === 0) return NOTHING;
  return answer(
    occurrence,
    `\`/flotilla ${verb}\` is taken, and the work waits on: ${holdText(holds)}.\n\nWhat ends that: ${holdEnds(holds)}.`,
  );
}

/**
 * A command that was understood gets a reaction, so that its author sees it at once: thumbs up for one that was taken,
 * a confused face and the reason for one that was not.
 */
export function answered(occurrence: Commented, verb: string, reaction: Reaction): Reaction {
  const { commentId, place, delivery } = occurrence;
  const refusal = refused(reaction);
  const answers = reaction.effects.some(({ kind }) => kind === "post_comment");
  return joined(
    reaction,
    refusal === undefined || answers ? NOTHING : answer(occurrence, refusalText(verb, refusal)),
    {
      ...NOTHING,
      effects: [
        {
          kind: "react",
          commentId,
          place,
          reaction: refusal === undefined ? "+1" : "confused",
          command: { verb, by: occurrence.actor.login, delivery },
        },
        { kind: "status_comment" },
      ],
    },
  );
}

/** Why nothing comes of it; undefined when something does. `asked` is what was to be shown, and shown it is. */
function refused(reaction: Reaction): Reaction["decisions"][number] | undefined {
  const { moves, wakes, dayGrants, approvals, answers, marks } = reaction;
  const acts = [moves, wakes, dayGrants, approvals, answers, marks].some(({ length }) => length > 0);
  return acts ? undefined : reaction.decisions.find(({ rule }) => rule !== "asked");
}

/** A command of which every move was refused: its author gets the reason in place of the thumbs up. */
export function notTaken(reaction: Reaction, refusal: Refusal): Reaction {
  const { wakes, dayGrants, approvals, answers, marks } = reaction;
  if ([wakes, dayGrants, approvals, answers, marks].some(({ length }) => length > 0)) return reaction;
  const effects = reaction.effects.flatMap((effect): readonly Effect[] => {
    if (effect.kind !== "react") return [effect];
    const body = refusalText(effect.command.verb, { reason: refusal.reason, change: wouldChange(refusal) });
    const name = `answer-${effect.commentId}`;
    return [
      { kind: "post_comment", name, body },
      { ...effect, reaction: "confused" },
    ];
  });
  return { ...reaction, effects };
}

function refusalText(
  verb: string,
  { reason, change }: Pick<Reaction["decisions"][number], "reason" | "change">,
): string {
  return [
    `\`/flotilla ${verb}\` changes nothing: ${reason}.`,
    ...(change === null ? [] : ["", `Instead: ${change}.`]),
  ].join("\n");
}
