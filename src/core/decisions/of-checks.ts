import type { RuleWords } from "./rule-words.ts";

/** What red, missing and stopped checks were found to mean, and what waits because people have enough to look at. */
export const OF_CHECKS = {
  attention: {
    what: "not started: people have enough to look at",
    next: "it starts by itself when one of those pull requests is merged or closed",
  },
  base_red: {
    what: "waits for the base branch",
    next: "fix the base branch: the check is looked at again by itself",
  },
  checks_at_work: { what: "red checks, seen", next: "nothing: the agent's next commit is checked anew" },
  checks_awaiting_approval: {
    what: "its checks wait for a person",
    next: "press “Approve and run” on the pull request's page",
  },
  checks_by_hand: {
    what: "a check must be run again by hand",
    next: "run it again where it runs, or push to the branch",
  },
  checks_give_up: {
    what: "red checks are a person's now",
    next: "look at the check, then say what is to be done differently: a review that requests changes reopens the work",
  },
  checks_rerun: { what: "a check is run again", next: "nothing: its new result is looked at by itself" },
  conflict_waits: {
    what: "conflicts with its base, and waits",
    next: "nothing: it is fixed when the older work on the same files is merged or closed",
  },
  no_checks: {
    what: "a required check does not appear",
    next: "see that a workflow reports it for pull requests, or take it off the required checks",
  },
} as const satisfies Readonly<Record<string, RuleWords>>;
