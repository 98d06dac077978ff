import { dayOf } from "../breakers/day-budget.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import type { Effect } from "../kernel/effect.ts";
import type { Refusal } from "../kernel/state-machine.ts";
import { wouldChange } from "../kernel/would-change.ts";
import { hash } from "../sessions/fingerprint.ts";

type Commented = DomainEventOf<"commented">;

/**
 * Returns the comment that answers a command. Its name is that of its words, on the pull request's head commit or else on
 * that day. A repeated command gets only a reaction: the comment is there already.
 */
export function answer({ at, theirs }: Pick<Commented, "at" | "theirs">, body: string): ChangeSet {
  return { ...NO_CHANGES, effects: [answerNamed(theirs?.headSha.slice(0, 12) ?? `${dayOf(at)}`, body)] };
}

/** Returns a comment of its own for what its author asked to see. */
export function answerAsked({ commentId }: Pick<Commented, "commentId">, body: string): ChangeSet {
  return { ...NO_CHANGES, effects: [{ kind: "post_comment", name: `answer-${commentId}`, body }] };
}

function answerNamed(when: string, body: string): Effect {
  return { kind: "post_comment", name: `answer-${when}-${hash(body).slice(0, 12)}`, body };
}

/** Answers a comment that is no command that can be carried out. */
export function answerUnread(event: Commented, given: string, body: string): ChangeSet {
  return mergeChanges(answer(event, body), reaction(event, given, "confused"));
}

function reaction(
  { commentId, place, delivery, actor }: Commented,
  verb: string,
  shown: "+1" | "confused",
): ChangeSet {
  const command = { verb, by: actor.login, delivery };
  return { ...NO_CHANGES, effects: [{ kind: "react", commentId, place, reaction: shown, command }] };
}

/**
 * Adds a reaction to a command that was understood, for its author to see at once: thumbs up for one that was carried
 * out, a confused face and the reason for one that was refused.
 */
export function withReaction(event: Commented, verb: string, changes: ChangeSet): ChangeSet {
  const refusal = refused(changes);
  const answers = changes.effects.some(({ kind }) => kind === "post_comment");
  return mergeChanges(
    changes,
    refusal === undefined || answers ? NO_CHANGES : answer(event, refusalText(verb, refusal)),
    reaction(event, verb, refusal === undefined ? "+1" : "confused"),
    { ...NO_CHANGES, effects: [{ kind: "status_comment" }] },
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
export function notTaken(changes: ChangeSet, refusal: Refusal, at: number): ChangeSet {
  const { wakes, dayGrants, approvals, answers, attributes } = changes;
  if ([wakes, dayGrants, approvals, answers, attributes].some(({ length }) => length > 0)) return changes;
  const effects = changes.effects.flatMap((effect): readonly Effect[] => {
    if (effect.kind !== "react") return [effect];
    const body = refusalText(effect.command.verb, { reason: refusal.reason, change: wouldChange(refusal) });
    return [answerNamed(`${dayOf(at)}`, body), { ...effect, reaction: "confused" }];
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
