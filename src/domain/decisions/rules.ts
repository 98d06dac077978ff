import { OF_ACTS } from "./of-acts.ts";
import { OF_GUARDS } from "./of-guards.ts";
import type { RuleWords } from "./rule-words.ts";

/** Decisions about what happened to a whole repository, and to the App's access to it. */
export const OF_REPOSITORIES = {
  archived: { what: "held: archived", next: "unarchive the repository" },
  caught_up: { what: "read again after a long absence", next: "nothing: its issues show what follows" },
  coverage_changed: { what: "the App's repositories changed", next: "nothing: its issues show what follows" },
  file_declined: {
    what: "the proposed file was declined",
    next: "`flotilla onboard <owner/name> --again` proposes it once more",
  },
  file_merged: { what: "the proposed file was merged", next: "nothing: the file applies from now on" },
  file_proposed: { what: "a file is proposed", next: "merge its pull request, or close it" },
  installation_changed: { what: "the installation changed", next: "nothing: its issues show what follows" },
  lfs: { what: "Git LFS is not supported", next: "nothing: the work continues without those files" },
  not_listed: {
    what: "ended: not on the list",
    next: "add it to `repositories` in the configuration, restart, and say `/flotilla start`",
  },
  offered: { what: "offered, not started", next: "a person with write permission says `/flotilla start`" },
  privatized: { what: "private again", next: "nothing: what was held is offered again" },
  publicized: { what: "made public", next: "nothing: its agents are confined and continue" },
  removed: { what: "ended: no access", next: "install the App there again, and say `/flotilla start`" },
  renamed: { what: "renamed", next: "nothing: its agents continue" },
  repository_changed: { what: "the repository changed", next: "nothing: its issues show what follows" },
  repository_deleted: { what: "ended: deleted", next: "nothing: its work is kept where Flotilla runs" },
  signed_commits: {
    what: "signed commits",
    next: "set `merge.method` to `squash` or `merge`",
  },
  repository_file_faulty: {
    what: "the repository's file is faulty",
    next: "correct the faults; check the file with `flotilla check --file` before you push it",
  },
  repository_file_gone: {
    what: "the repository's file is gone",
    next: "nothing: the operator's settings apply",
  },
  repository_file_taken: { what: "the repository's file applies", next: "nothing" },
  submodules: { what: "submodules are not supported", next: "nothing: the work continues without them" },
  suspended: { what: "held: suspended", next: "unsuspend the App's installation" },
  transferred: { what: "transferred", next: "nothing: its agents continue" },
  unarchived: { what: "continues: unarchived", next: "nothing: what was held is offered again" },
  uninstalled: { what: "ended: uninstalled", next: "install the App there again, and say `/flotilla start`" },
  unsuspended: { what: "continues: unsuspended", next: "nothing: what was held is offered again" },
} as const satisfies Readonly<Record<string, RuleWords>>;

/**
 * Decisions about red, missing and stopped checks, and about work that waits because too many pull requests wait for
 * people.
 */
export const OF_CHECKS = {
  attention: {
    what: "not started: too many pull requests wait for people",
    next: "it starts automatically when one of those pull requests is merged or closed",
  },
  base_red: {
    what: "waits for the base branch",
    next: "fix the base branch; Flotilla then checks again automatically",
  },
  checks_at_work: { what: "red checks noted", next: "nothing: the agent's next commit is checked again" },
  checks_awaiting_approval: {
    what: "its checks wait for a person",
    next: "press “Approve and run” on the pull request's page",
  },
  checks_by_hand: {
    what: "a check must be run again by hand",
    next: "run it again where it runs, or push to the branch",
  },
  checks_give_up: {
    what: "red checks need a person",
    next: "look at the check, then request changes in a review that says what to do differently: this reopens the work",
  },
  checks_rerun: {
    what: "a check is run again",
    next: "nothing: Flotilla reads the new result automatically",
  },
  conflict_waits: {
    what: "conflicts with its base, and waits",
    next: "nothing: it is fixed when the older work on the same files is merged or closed",
  },
  no_checks: {
    what: "a required check does not appear",
    next: "make a workflow report it for pull requests, or remove it from the required checks",
  },
} as const satisfies Readonly<Record<string, RuleWords>>;

/** Decisions about a question that an agent asked people. */
export const OF_QUESTIONS = {
  no_answer: { what: "not an answer", next: "say `/flotilla answer <number or text>`" },
  no_box_ticked: { what: "no box ticked", next: "tick the box of one option, or reply" },
  no_question: { what: "no open question", next: "nothing: nobody waits for an answer here" },
  nobody_to_ask: { what: "not asked again", next: "name people in `escalation.notify`, or answer it" },
  question_timed_out: {
    what: "decided by time-out",
    next: "mention the App to decide otherwise while the agent is at work",
  },
  reminded: { what: "reminded", next: "answer what is asked" },
  second_person: { what: "somebody else was asked", next: "answer what is asked" },
  which_option: { what: "more than one option", next: "tick exactly one box" },
} as const satisfies Readonly<Record<string, RuleWords>>;

/** Decisions about goals and sprints. */
export const OF_PLANS = {
  goal_issue: { what: "not started: it tracks a goal", next: "label one of its sub-issues" },
  goal_known: { what: "already a goal", next: "nothing: `/flotilla abort` ends it" },
  milestone_followed: { what: "milestone followed", next: "nothing: tasks and sprint have followed" },
  no_sprint: {
    what: "no sprint here",
    next: "give the tracking issue and the issues of the work one milestone",
  },
  operator_file: {
    what: "the operator's file was followed",
    next: "remove the file from the data directory; what is aborted stays aborted",
  },
  sprint_stands: { what: "nothing to change", next: "`/flotilla status` shows its state" },
  tracking_issue: { what: "only on a tracking issue", next: "say it on the goal's tracking issue" },
} as const satisfies Readonly<Record<string, RuleWords>>;

/** Why approved work is not merged yet, and how pull requests end. */
export const OF_MERGING = {
  merge_asked: { what: "a person merges", next: "merge the pull request on GitHub" },
  merge_risk: { what: "merged without a person", next: "nothing: the work is done when it is merged" },
  merged: { what: "merged", next: "nothing: the work is done" },
  merge_waits: { what: "not merged yet", next: "nothing: it continues automatically" },
  pull_over: { what: "too late for a review", next: "open a new issue for what should change" },
  pull_closed: { what: "not merged", next: "say `/flotilla start`, which starts again" },
} as const satisfies Readonly<Record<string, RuleWords>>;

const WORDS = {
  ...OF_ACTS,
  ...OF_CHECKS,
  ...OF_GUARDS,
  ...OF_MERGING,
  ...OF_PLANS,
  ...OF_QUESTIONS,
  ...OF_REPOSITORIES,
};

/** All rules that a decision can name. */
export type DecisionRule = keyof typeof WORDS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal object are its keys
export const DECISION_RULES = Object.keys(WORDS) as readonly DecisionRule[];

/** The rules whose decisions hold until the task ends; see `RuleWords`. */
export const LASTING_RULES = DECISION_RULES.filter((rule) => wordsOf(rule).lasts === true);

export function wordsOf(rule: DecisionRule): RuleWords {
  return WORDS[rule];
}
