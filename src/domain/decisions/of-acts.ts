import type { RuleWords } from "./rule-words.ts";

/** Decisions about what somebody did on GitHub, and about what we did outside. */
export const OF_ACTS = {
  asked: { what: "answered", next: "nothing: the answer is on the issue" },
  assigned: { what: "not started: assigned", next: "remove the assignee and say `/flotilla start`" },
  assigned_to_bot: { what: "ignored: no person", next: "assign a person, which ends the agents here" },
  backport_refused: {
    what: "backport refused",
    next: "say `/flotilla backport <branch>` once the work is merged",
  },
  base_label: {
    what: "base branch chosen",
    next: "add a label that starts a role, or say `/flotilla start`",
  },
  base_refused: {
    what: "base branch refused",
    next: "say `/flotilla start <role> on <branch>` with a branch that exists and that `bases` lists",
  },
  blocker_noted: {
    what: "blocker noted",
    next: "an agent that starts after this waits for it; `/flotilla pause` holds an agent at work",
  },
  branch_deleted: {
    what: "branch deleted",
    next: "its next push creates the branch again; `/flotilla release` ends the work",
  },
  budget_unit: { what: "budget not raised", next: "say the unit of the limit that stopped it" },
  budget_unreadable: { what: "budget not read", next: "say how much, such as `/flotilla budget +20 turns`" },
  checkpoint_refused: {
    what: "work that is not pushed is on one machine only",
    next: "let the App push `refs/flotilla/checkpoints/*`, for instance by an exception in the ruleset; Flotilla tries again automatically",
  },
  choice_refused: {
    what: "not started: runtime, model, tools or temperature is not allowed",
    next: "choose what the answer names, or leave `with`, `model`, `tools` and `temperature` out",
  },
  closed: { what: "not started: closed", next: "reopen the issue" },
  day_raised: { what: "day's budget raised", next: "nothing: agents that wait for it start automatically" },
  draft_label: { what: "a draft waits", next: "remove the label `draft`, or say `/flotilla start`" },
  effect_failed: {
    what: "an action failed for good",
    next: "fix what the error names; the next change writes a status comment or label again, and `/flotilla retry` restarts a failed agent",
  },
  escalation_label: {
    what: "ignored: escalation label",
    next: "answer what is asked, or remove the label and the agent continues",
  },
  foreign_commit: {
    what: "paused: somebody else's commit",
    next: "`/flotilla resume` lets it continue on top of that, `/flotilla release` leaves the branch to people",
  },
  issue_gone: {
    what: "ended: the issue is gone",
    next: "label it where it is now, if that repository has Flotilla",
  },
  label_unused: { what: "ignored: unused label", next: "nothing: no agent started because of it" },
  late_command: {
    what: "a command below the first line",
    next: "repeat it as the first line of a new comment",
  },
  liveness: {
    what: "a silent agent was found",
    next: "nothing: the host continues automatically; `/flotilla cancel` ends the work",
  },
  review_differs: {
    what: "runtime and model of the reviewer chosen",
    next: "nothing: `review.differ` in the configuration asks for it",
  },
  runtime_label: {
    what: "runtime chosen",
    next: "add a label that starts a role, or say `/flotilla start`",
  },
  locked: { what: "the issue is locked", next: "unlock it" },
  marks_refused: { what: "not set", next: "say it as `/flotilla set ttl=8h tag=word label=key=value`" },
  marks_set: {
    what: "set",
    next: "nothing: `flotilla agents show <agent>` and its page on the dashboard show it",
  },
  mcp_server_failed: {
    what: "works without tools of an MCP server",
    next: "ask the operator to look at `mcp_servers` in the configuration; the next time that the agent wakes, the server is started again",
  },
  model_call_refused: {
    what: "model call refused",
    next: "look at what the agent's shell does (`flotilla agents transcript`); a limit is raised by `/flotilla budget`",
  },
  moved_on: {
    what: "too late for an agent",
    next: "nothing: the agent that works there now does what is still needed",
  },
  never_worked: { what: "not started: nothing to reopen", next: "label it, or say `/flotilla start`" },
  nit_storm: { what: "a reviewer finds only trifles", next: "review it yourself, or change its prompt" },
  no_role: {
    what: "not started: no role",
    next: "add a label that starts a role, or say `/flotilla start <role>`",
  },
  no_lesson: {
    what: "no lesson is looked for",
    next: "nothing: the next work that ends is looked at, too",
  },
  nobody_concerned: {
    what: "nothing to do",
    next: "label the issue, or say `/flotilla start [role]`",
  },
  nobody_waits: { what: "nobody waits for these checks", next: "nothing: an agent that waits reads them" },
  none_waits: { what: "nobody waits for a person", next: "nothing: `/flotilla status` shows who works" },
  not_ours: { what: "ignored: not our pull request", next: "nothing: only those that agents opened count" },
  not_permitted: {
    what: "not permitted",
    next: "ask a person with write permission to do it, or to say it as a command",
  },
  nothing_asked: {
    what: "nothing to approve",
    next: "`/flotilla continue` lets an agent that waits at a limit continue",
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
    next: "`flotilla agents show <agent>` shows its state and what it waits for",
  },
  other_place: {
    what: "not done: another command is for this place",
    next: "on an issue say `/flotilla start`, on a person's pull request `/flotilla review` or `/flotilla fix`",
  },
  own_act: { what: "Flotilla's own act", next: "nothing: it is done" },
  own_wake: { what: "not woken", next: "what it waits for wakes it" },
  permission_unread: {
    what: "GitHub did not say who may",
    next: "do the same again once GitHub answers",
  },
  person_pull: {
    what: "not started: a person's pull request",
    next: "close that pull request, then say `/flotilla start`",
  },
  persons_act: { what: "a person acted", next: "nothing: it is done" },
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
  replayed: { what: "tried again", next: "nothing: the result appears in the later decisions" },
  review_not_given: { what: "no review was given", next: "review the pull request yourself" },
  reviewers_short: { what: "more approvals are needed", next: "a person with permission reviews it" },
  rubber_stamp: { what: "a reviewer approves everything", next: "read one of its reviews yourself" },
  schedule_asked: {
    what: "a schedule begins now",
    next: "nothing: its issue is opened, unless the last one is open",
  },
  rival: { what: "not started: another works here", next: "it continues; `/flotilla cancel` ends it" },
  review_stale: {
    what: "the review is of an earlier commit",
    next: "say `/flotilla review`, which asks for another",
  },
  state_label: {
    what: "a state label corrected",
    next: "`/flotilla start`, `release` or `cancel` moves the work",
  },
  strangers_pull: {
    what: "pull requests of people without write permission do not stop the agent",
    next: "say `/flotilla cancel` if you would rather use one of them",
    lasts: true,
  },
  talk: { what: "only talk", next: "mention the App, or say a command such as `/flotilla status`" },
  task: {
    what: "not started: its task is not ready",
    next: "`/flotilla start` makes a draft or a blocked task ready",
  },
  unknown_command: { what: "unknown command", next: "the answer on the issue lists the commands" },
  unknown_role: {
    what: "no role has that name",
    next: "say `/flotilla start <role>` with a role that exists",
  },
  unreachable: {
    what: "waits for something that is unreachable",
    next: "nothing: Flotilla retries it automatically; `/flotilla retry` tries at once",
  },
  untrusted_author: {
    what: "not started: untrusted author",
    next: "a person with write permission labels the issue or says `/flotilla start`",
  },
  usage_differs: {
    what: "model calls: count differs from the runtime's report",
    next: "nothing: Flotilla's own count is booked; if it continues, look at what the agent's shell does",
  },
  waits_for_person: { what: "waits for a person", next: "answer on the issue, or say `/flotilla resume`" },
  which_call: { what: "a call must be named", next: "say which one: `/flotilla approve <hash>`" },
  withheld: {
    what: "withheld by the level",
    next: "raise `level` in the configuration if Flotilla may do this",
    lasts: true,
  },
  work_forgotten: { what: "kept work deleted", next: "`retention.worktrees` says how long it is kept" },
  worktree_archived: {
    what: "unsaved work archived",
    next: "the status comment has the command that restores it",
  },
  worktree_rebuilt: {
    what: "worktree rebuilt",
    next: "nothing: the agent has been told too, and continues with what was restored",
  },
} as const satisfies Readonly<Record<string, RuleWords>>;
