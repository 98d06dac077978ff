import type { RuleWords } from "./rule-words.ts";

/** Decisions about what somebody did on GitHub, and about what we did outside. */
export const OF_ACTS = {
  asked: { what: "answered", next: "nothing: the answer is on the issue" },
  assigned: { what: "not started: assigned", next: "remove the assignee and say `/flotilla start`" },
  assigned_to_bot: { what: "ignored: no person", next: "assign a person, which ends the agents here" },
  blocker_noted: {
    what: "blocker noted",
    next: "a start after this waits for it; `/flotilla pause` holds an agent that is at work",
  },
  branch_deleted: {
    what: "branch deleted",
    next: "its next push makes the branch again; `/flotilla release` ends the work",
  },
  budget_unit: { what: "budget not raised", next: "say the unit of the limit that stopped it" },
  budget_unreadable: { what: "budget not read", next: "say how much, such as `/flotilla budget +20 turns`" },
  closed: { what: "not started: closed", next: "reopen the issue" },
  day_raised: { what: "day's budget raised", next: "nothing: what waits for it starts by itself" },
  draft_label: { what: "a draft waits", next: "remove the label `draft`, or say `/flotilla start`" },
  effect_failed: {
    what: "an action failed for good",
    next: "fix what the error names; the next change writes a status comment or label again, and `/flotilla retry` restarts a failed agent",
  },
  escalation_label: {
    what: "ignored: escalation label",
    next: "answer what is asked, or remove the label and the agent goes on",
  },
  foreign_commit: {
    what: "paused: somebody else's commit",
    next: "`/flotilla resume` lets it go on on top of that, `/flotilla release` leaves the branch to people",
  },
  issue_gone: { what: "ended: the issue is gone", next: "work for it needs a new label where it is now" },
  label_unused: { what: "ignored: unused label", next: "nothing: no agent is concerned" },
  late_command: {
    what: "a command that is not the first line",
    next: "say it again in a comment of its own, as the first line",
  },
  liveness: {
    what: "a silent agent was found",
    next: "nothing: the host goes on by itself; `/flotilla cancel` ends the work",
  },
  locked: { what: "the issue is locked", next: "unlock it" },
  marks_refused: { what: "not set", next: "say it as `/flotilla set ttl=8h tag=word label=key=value`" },
  marks_set: {
    what: "set",
    next: "nothing: `flotilla agents show <agent>` and its page on the dashboard show it",
  },
  model_call_refused: {
    what: "model call refused",
    next: "look at what the agent's shell does (`flotilla agents transcript`); a limit is raised by `/flotilla budget`",
  },
  moved_on: {
    what: "too late for an agent",
    next: "nothing: what is still needed is done by whoever works there now",
  },
  never_worked: { what: "not started: nothing to reopen", next: "label it, or say `/flotilla start`" },
  nit_storm: { what: "a reviewer looks for nits", next: "review it yourself, or change its prompt" },
  no_role: {
    what: "not started: no role",
    next: "put a label that starts one, or say `/flotilla start <role>`",
  },
  nobody_concerned: {
    what: "no agent is concerned",
    next: "label the issue, or say `/flotilla start [role]`",
  },
  nobody_waits: { what: "nobody waits for these checks", next: "nothing: an agent that waits reads them" },
  none_waits: { what: "nobody waits for a person", next: "nothing: `/flotilla status` tells who works" },
  not_ours: { what: "ignored: not our pull request", next: "nothing: only those that agents opened count" },
  not_permitted: {
    what: "not permitted",
    next: "a person with write permission does the same, or says it as a command",
  },
  nothing_asked: {
    what: "nothing to approve",
    next: "`/flotilla continue` lets an agent go on that waits at a limit",
  },
  nothing_changed: { what: "nothing changed", next: "nothing: title and text are as they were" },
  nothing_stopped: { what: "nothing to raise", next: "`/flotilla status` shows what the agents wait for" },
  nothing_to_do: { what: "noted", next: "request changes, or say `/flotilla start`, for more work" },
  number_unreadable: {
    what: "grant refused: no number",
    next: "say a whole number, such as `/flotilla continue 20`, or none",
  },
  operation_refused: {
    what: "the operator was refused",
    next: "`flotilla agents show <agent>` tells its state and what it waits for",
  },
  own_act: { what: "our own act", next: "nothing: it is done" },
  own_wake: { what: "not woken", next: "what it waits for wakes it" },
  permission_unread: {
    what: "GitHub did not say who may",
    next: "do the same again once GitHub answers",
  },
  person_pull: {
    what: "not started: a person's pull request",
    next: "close that pull request, then say `/flotilla start`",
  },
  plan_label: { what: "a plan comes first", next: "`/flotilla approve` once the plan is there" },
  plan_unreadable: {
    what: "no plan to approve",
    next: "tick the box of the plan's comment, or say `/flotilla approve` or `/flotilla deny <reason>`",
  },
  public_unconfined: { what: "not started: public repository", next: "make the repository private" },
  pull_draft: { what: "a draft is not merged", next: "mark the pull request as ready for review" },
  replanning: {
    what: "needs replanning",
    next: "say what to do differently, or `/flotilla retry`; `/flotilla cancel` gives the task up",
  },
  replayed: { what: "tried again", next: "nothing: the acts outside tell what comes of it" },
  review_not_given: { what: "no review was given", next: "review the pull request yourself" },
  reviewers_short: { what: "more approvals are needed", next: "a person with permission reviews it" },
  rubber_stamp: { what: "a reviewer approves everything", next: "read one of its reviews yourself" },
  rival: { what: "not started: another works here", next: "it goes on; `/flotilla cancel` ends it" },
  state_label: {
    what: "a label of ours put right",
    next: "`/flotilla start`, `release` or `cancel` moves the work",
  },
  strangers_pull: {
    what: "pull requests of people without write permission do not stop the agent",
    next: "say `/flotilla cancel` if you would rather use one of them",
    lasts: true,
  },
  talk: { what: "only talk", next: "mention the App, or say a command such as `/flotilla status`" },
  task: { what: "its task cannot be taken", next: "`/flotilla start` makes a draft or a blocked task ready" },
  unknown_command: { what: "unknown command", next: "the answer on the issue lists the commands" },
  unknown_role: { what: "unknown role", next: "say `/flotilla start <role>` with a role that there is" },
  unreachable: {
    what: "waits for what is away",
    next: "nothing: it is tried again by itself; `/flotilla retry` tries at once",
  },
  untrusted_author: {
    what: "not started: untrusted author",
    next: "a person with write permission labels the issue or says `/flotilla start`",
  },
  usage_differs: {
    what: "model calls counted otherwise than reported",
    next: "nothing: what was counted is booked; look at what the agent's shell does if it goes on",
  },
  waits_for_person: { what: "waits for a person", next: "answer on the issue, or say `/flotilla resume`" },
  which_call: { what: "several calls wait", next: "say which one: `/flotilla approve <hash>`" },
  withheld: {
    what: "withheld by the level",
    next: "raise `level` in the configuration where this should leave",
    lasts: true,
  },
  work_forgotten: { what: "kept work deleted", next: "`retention.worktrees` says how long it is kept" },
  worktree_archived: {
    what: "unsaved work archived",
    next: "the status comment has the command that restores it",
  },
} as const satisfies Readonly<Record<string, RuleWords>>;
