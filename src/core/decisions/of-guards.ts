import { OUT_OF_DEADLOCK } from "../escalation.ts";
import type { RuleWords } from "./rule-words.ts";

/** What a machine refuses, by the guard that refused it. */
export const OF_GUARDS = {
  answered: { what: "no checkpoint", next: "nothing: the sprint goes on until a person stops it" },
  asleep: {
    what: "not completed",
    next: "it completes by itself when it is awake; `/flotilla complete` does so now",
  },
  blocker_closed: { what: "not blocked", next: "the blocker is closed: it can go on" },
  blocker_missing: { what: "not blocked", next: "name an issue that exists" },
  blockers_unread: { what: "not started yet", next: "it starts by itself when GitHub has answered" },
  budget: {
    what: "no budget left",
    next: "it goes on when the day turns (UTC), or say `/flotilla budget +$N today` or `/flotilla budget +N agents today`",
  },
  changes_requested: {
    what: "changes are requested",
    next: "change the commit, or take the request for changes back on GitHub",
  },
  checks: { what: "not merged", next: "it is offered again when the checks are green" },
  cycle: { what: "not blocked", next: "one of the issues in the circle must be solved without the others" },
  descendant: { what: "not blocked", next: "it is a part of the work: do it here, or ask a person" },
  evidence: { what: "not completed", next: "`/flotilla complete` by a person, or a merge, completes it" },
  extensions: { what: "not resumed", next: "`/flotilla budget +N` grants more" },
  first_to_fail: { what: "task not blocked", next: "nothing: another coder may try first" },
  held: {
    what: "held",
    next: "`/flotilla resume` lifts a person's hold on the agent, unlocking the issue that of a lock, `flotilla resume` that of a scope",
  },
  no_commit: { what: "no review yet", next: "nothing: the agent pushes a commit first" },
  no_expiry: { what: "review not begun", next: "set the length of a review lease in the configuration" },
  no_reason: { what: "not taken without a reason", next: "say why" },
  no_review: { what: "nothing to review", next: "nothing: it starts when work is up for review" },
  no_such_transition: { what: "not possible now", next: "`/flotilla status` tells what can be done" },
  no_tasks: { what: "sprint not ended", next: "it ends by itself after its last task" },
  not_due: { what: "no checkpoint", next: "nothing until the due date has passed" },
  not_in_work: {
    what: "task not blocked",
    next: "nothing: only the coder that works on a task has it replanned",
  },
  not_held: { what: "not lifted", next: "nothing needs to be lifted" },
  not_rejected: { what: "task not blocked", next: "nothing: only rejected work can be in a deadlock" },
  not_reopenable: { what: "not reopened", next: "it goes on by itself" },
  not_revivable: {
    what: "not revived",
    next: "`/flotilla retry` works on an agent that is ESCALATED, FAILED or CANCELLED",
  },
  nothing_to_resume: { what: "not resumed", next: "`/flotilla retry` starts a new attempt" },
  open_blocker: { what: "blocked", next: "it starts when the blocker is closed" },
  open_sub_issues: { what: "goal not completed", next: "it completes when its sub-issues are closed" },
  open_tasks: { what: "not ended", next: "it ends by itself after its last task" },
  other_coder: { what: "not taken back", next: "nothing: the task is reassigned" },
  other_commit: { what: "about another commit", next: "look at the newest commit and say it again" },
  own_issue: { what: "not blocked", next: "name another issue, or ask a person" },
  own_work: { what: "no review of one's own work", next: "let somebody else review it" },
  provider: {
    what: "the model provider is parked",
    next: "it goes on by itself when the model provider answers again",
  },
  review: { what: "not expired", next: "review the pull request" },
  review_deadlock: {
    what: "review deadlock",
    next: OUT_OF_DEADLOCK,
  },
  rounds_left: { what: "task not blocked", next: "nothing: the coder works on what was rejected" },
  same_coder: { what: "not reassigned", next: "nothing: the same coder takes it back" },
  same_commit: { what: "no new commit", next: "nothing: the verdict stands" },
  second_attempt: {
    what: "a new attempt is due",
    next: "nothing: it starts by itself; `/flotilla retry` starts it now, `/flotilla cancel` ends it",
  },
  slot: { what: "no slot free", next: "it starts by itself when a slot is free" },
  stale_holder: { what: "too late", next: "nothing: another reviewer has taken it since" },
  storm: { what: "not started: too many", next: "wait, or say `/flotilla start` later" },
  turn_ceiling: {
    what: "grant refused: over the ceiling",
    next: "grant at most `circuit_breakers.turn_ceiling` turns at once",
  },
} as const satisfies Readonly<Record<string, RuleWords>>;
