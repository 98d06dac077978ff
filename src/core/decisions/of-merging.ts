import type { RuleWords } from "./rule-words.ts";

/** Why approved work is not merged yet. */
export const OF_MERGING = {
  merge_asked: { what: "a person merges", next: "merge the pull request on GitHub" },
  merge_waits: { what: "not merged yet", next: "nothing: it goes on by itself" },
} as const satisfies Readonly<Record<string, RuleWords>>;
