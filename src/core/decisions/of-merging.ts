import type { RuleWords } from "./rule-words.ts";

/** Why approved work is not merged yet, and how pull requests end. */
export const OF_MERGING = {
  merge_asked: { what: "a person merges", next: "merge the pull request on GitHub" },
  merged: { what: "merged", next: "nothing: the work is done" },
  merge_waits: { what: "not merged yet", next: "nothing: it continues automatically" },
  pull_over: { what: "too late for a review", next: "open a new issue for what should change" },
  pull_closed: { what: "not merged", next: "say `/flotilla start`, which starts again" },
} as const satisfies Readonly<Record<string, RuleWords>>;
