import type { RuleWords } from "./rule-words.ts";

/** Decisions about goals and sprints. */
export const OF_PLANS = {
  goal_issue: { what: "not started: it tracks a goal", next: "label one of its sub-issues" },
  goal_known: { what: "a goal already", next: "nothing: `/flotilla abort` ends it" },
  milestone_followed: { what: "milestone followed", next: "nothing: tasks and sprint have followed" },
  no_sprint: {
    what: "no sprint here",
    next: "give the tracking issue and the issues of the work one milestone",
  },
  sprint_stands: { what: "nothing to change", next: "`/flotilla status` shows its state" },
  tracking_issue: { what: "only on a tracking issue", next: "say it on the goal's tracking issue" },
} as const satisfies Readonly<Record<string, RuleWords>>;
