import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import type { Effect } from "../kernel/effect.ts";
import type { Refusal } from "../kernel/state-machine.ts";
import { wouldChange } from "../kernel/would-change.ts";

type Commented = DomainEventOf<"commented">;

/** Returns a new comment that answers a command. */
export function answer(event: Commented, body: string): ChangeSet {
  return { ...NO_CHANGES, effects: [{ kind: "post_comment", name: `answer-${event.commentId}`, body }] };
}

/**
 * Adds a reaction to a command that was understood, for its author to see at once: thumbs up for one that was carried
 * out, a confused face and the reason for one that was refused.
 */
export function withReaction(event: Commented, verb: string, changes: ChangeSet): ChangeSet {
  const { commentId, place, delivery } = event;
  const refusal = refused(changes);
  const answers = changes.effects.some(({ kind }) => kind === "post_comment");
  return mergeChanges(
    changes,
    refusal === undefined || answers ? NO_CHANGES : answer(event, refusalText(verb, refusal)),
    {
      ...NO_CHANGES,
      effects: [
        {
          kind: "react",
          commentId,
          place,
          reaction: refusal === undefined ? "+1" : "confused",
          command: { verb, by: event.actor.login, delivery },
        },
        { kind: "status_comment" },
      ],
    },
  );
}

/**
 * Returns why the command has no effect; undefined when it has one. A decision `asked` shows what was asked for, so it
 * is no refusal.
 */
function refused(changes: ChangeSet): ChangeSet["decisions"][number] | undefined {
  const { moves, wakes, dayGrants, approvals, answers, attributes } = changes;
  const acts = [moves, wakes, dayGrants, approvals, answers, attributes].some(({ length }) => length > 0);
  return acts ? undefined : changes.decisions.find(({ rule }) => rule !== "asked");
}

/** Returns the answer to a command whose moves were all refused: the reason instead of the thumbs up. */
export function notTaken(changes: ChangeSet, refusal: Refusal): ChangeSet {
  const { wakes, dayGrants, approvals, answers, attributes } = changes;
  if ([wakes, dayGrants, approvals, answers, attributes].some(({ length }) => length > 0)) return changes;
  const effects = changes.effects.flatMap((effect): readonly Effect[] => {
    if (effect.kind !== "react") return [effect];
    const body = refusalText(effect.command.verb, { reason: refusal.reason, change: wouldChange(refusal) });
    const name = `answer-${effect.commentId}`;
    return [
      { kind: "post_comment", name, body },
      { ...effect, reaction: "confused" },
    ];
  });
  return { ...changes, effects };
}

function refusalText(
  verb: string,
  { reason, change }: Pick<ChangeSet["decisions"][number], "reason" | "change">,
): string {
  return [
    `\`/flotilla ${verb}\` changes nothing: ${reason}.`,
    ...(change === null ? [] : ["", `Instead: ${change}.`]),
  ].join("\n");
}
