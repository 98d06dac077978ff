import type { RuleWords } from "./rule-words.ts";

/** What red, missing and stopped checks were found to mean, and what waits because too many pull requests wait for people. */
export const OF_CHECKS = {
  attention: {
    what: "not started: too many pull requests wait for people",
    next: "it starts automatically when one of those pull requests is merged or closed",
  },
  base_red: {
    what: "waits for the base branch",
    next: "fix the base branch; Flotilla then checks again automatically",
  },
  checks_at_work: { what: "red checks, seen", next: "nothing: the agent's next commit is checked again" },
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
