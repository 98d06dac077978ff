import { OUT_OF_DEADLOCK } from "../tasks/escalation.ts";
import type { RuleWords } from "./rule-words.ts";

/** Decisions about refused moves, by the guard that refused them. */
export const OF_GUARDS = {
  answered: { what: "no checkpoint", next: "nothing: the sprint continues until a person stops it" },
  asleep: {
    what: "not completed",
    next: "it completes automatically when it wakes; `/flotilla complete` completes it now",
  },
  blocker_closed: { what: "not blocked", next: "the blocker is closed: it can continue" },
  blocker_missing: { what: "not blocked", next: "name an issue that exists" },
  blockers_unread: { what: "not started yet", next: "it starts automatically when GitHub has answered" },
  budget: {
    what: "no budget left",
    next: "it continues at midnight UTC, or on the first of next month for a month's budget; `/flotilla budget +$N today` or `/flotilla budget +N agents today` raises the repository's day, and the operator can raise `circuit_breakers.budgets`",
  },
  changes_requested: {
    what: "changes are requested",
    next: "change the commit, or take the request for changes back on GitHub",
  },
  checks: { what: "not merged", next: "Flotilla tries again when the checks are green" },
  cycle: { what: "not blocked", next: "solve one of the issues in the cycle without the others" },
  descendant: { what: "not blocked", next: "it is a part of the work: do it here, or ask a person" },
  evidence: { what: "not completed", next: "`/flotilla complete` by a person, or a merge, completes it" },
  extensions: { what: "not resumed", next: "`/flotilla budget +N` grants more" },
  first_to_fail: { what: "task not blocked", next: "nothing: another coder may try first" },
  held: {
    what: "held",
    next: "`/flotilla resume` ends a person's pause of the agent; unlock the issue if it is locked; the operator's `flotilla resume` ends a pause of the repository or of everything",
  },
  no_commit: { what: "no review yet", next: "nothing: the agent pushes a commit first" },
  no_expiry: { what: "review not started", next: "set the length of a review lease in the configuration" },
  no_reason: { what: "refused without a reason", next: "say why" },
  no_review: { what: "nothing to review", next: "nothing: it starts when work is up for review" },
  no_such_transition: { what: "not possible now", next: "`/flotilla status` shows what you can do" },
  no_tasks: { what: "sprint not ended", next: "it ends automatically after its last task" },
  not_due: { what: "no checkpoint", next: "nothing: wait until the due date has passed" },
  not_in_work: {
    what: "task not blocked",
    next: "nothing: only the coder that works on a task can ask for replanning",
  },
  not_held: { what: "not lifted", next: "nothing needs to be lifted" },
  not_rejected: { what: "task not blocked", next: "nothing: only rejected work can be in a deadlock" },
  not_reopenable: { what: "not reopened", next: "it continues automatically" },
  not_revivable: {
    what: "not revived",
    next: "say `/flotilla retry` when the agent is ESCALATED, FAILED or CANCELLED",
  },
  nothing_to_resume: { what: "not resumed", next: "`/flotilla retry` starts a new attempt" },
  open_blocker: { what: "blocked", next: "it starts when the blocker is closed" },
  open_sub_issues: { what: "goal not completed", next: "it completes when its sub-issues are closed" },
  open_tasks: { what: "not ended", next: "it ends automatically after its last task" },
  other_coder: { what: "not taken back", next: "nothing: the task is reassigned" },
  other_commit: { what: "about another commit", next: "look at the newest commit and say it again" },
  own_issue: { what: "not blocked", next: "name another issue, or ask a person" },
  own_work: { what: "no review of one's own work", next: "let somebody else review it" },
  provider: {
    what: "the model provider is parked",
    next: "it continues automatically when the model provider answers again",
  },
  review: { what: "not expired", next: "review the pull request" },
  review_deadlock: {
    what: "review deadlock",
    next: OUT_OF_DEADLOCK,
  },
  room: {
    what: "no room on this machine",
    next: "it starts automatically when an agent at work ends or sleeps, or more of the disk is free; the operator can lower `sandbox.memory_gib` or `circuit_breakers.disk.per_agent_gib`",
  },
  rounds_left: { what: "task not blocked", next: "nothing: the coder works on what was rejected" },
  same_coder: { what: "not reassigned", next: "nothing: the same coder continues with it" },
  same_commit: { what: "no new commit", next: "nothing: the verdict still applies" },
  second_attempt: {
    what: "a new attempt is due",
    next: "nothing: it starts automatically; `/flotilla retry` starts it now, `/flotilla cancel` ends it",
  },
  slot: { what: "no slot free", next: "it starts automatically when a slot is free" },
  stale_holder: { what: "too late", next: "nothing: another reviewer has it now" },
  storm: { what: "not started: too many", next: "wait, or say `/flotilla start` later" },
  turn_ceiling: {
    what: "grant refused: over the ceiling",
    next: "grant at most `circuit_breakers.turn_ceiling` turns at once",
  },
} as const satisfies Readonly<Record<string, RuleWords>>;
