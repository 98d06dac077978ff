import type { Refusal } from "./machine.ts";

/** What would let a refused move through, by the rule that refused it. */
const BY_RULE: Readonly<Record<string, string>> = {
  slot: "it starts by itself when a slot is free",
  provider: "it goes on by itself when the model provider answers again",
  budget: "it goes on when the day turns (UTC), or say `/flotilla budget +$N today` or `+N agents today`",
  held: "`/flotilla resume` lifts a person's hold on the agent, unlocking the issue that of a lock, `flotilla resume` that of a scope",
  task: "`/flotilla start` makes a draft ready",
  open_blocker: "it starts when the blocker is closed",
  blockers_unread: "it starts by itself when GitHub has answered",
  assigned: "remove the assignee and say `/flotilla start`",
  rival: "it goes on; `/flotilla cancel` ends it",
  storm: "wait, or say `/flotilla start` later",
  own_wake: "what it waits for wakes it",
  max_iterations: "`/flotilla budget +N` grants more",
  extensions: "`/flotilla budget +N` grants more",
  not_held: "nothing needs to be lifted",
  not_revivable: "`/flotilla retry` works on an agent that is ESCALATED, FAILED or CANCELLED",
  not_reopenable: "it goes on by itself",
  own_issue: "name another issue, or ask a person",
  blocker_missing: "name an issue that exists",
  blocker_closed: "the blocker is closed: it can go on",
  descendant: "it is a part of the work: do it here, or ask a person",
  cycle: "one of the issues in the circle must be solved without the others",
};

/** Never silent: where no rule of its own says it, the kind of refusal does. */
export function wouldChange(refusal: Refusal): string {
  const known = BY_RULE[refusal.rule];
  if (known !== undefined) return known;
  if (refusal.keeps) return "it is offered again when that changes";
  if (refusal.code === "no_such_transition")
    return `nothing while the ${refusal.machine} is ${refusal.state}`;
  return `another ${refusal.event} once this does not hold any more`;
}
