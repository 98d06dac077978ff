import { OF_ACTS } from "./of-acts.ts";
import { OF_CHECKS } from "./of-checks.ts";
import { OF_GUARDS } from "./of-guards.ts";
import { OF_MERGING } from "./of-merging.ts";
import { OF_PLANS } from "./of-plans.ts";
import { OF_QUESTIONS } from "./of-questions.ts";
import { OF_REPOSITORIES } from "./of-repositories.ts";
import type { RuleWords } from "./rule-words.ts";

const WORDS = {
  ...OF_ACTS,
  ...OF_CHECKS,
  ...OF_GUARDS,
  ...OF_MERGING,
  ...OF_PLANS,
  ...OF_QUESTIONS,
  ...OF_REPOSITORIES,
};

/** The rules by which something was done or was not: all there are, and the only ones that a decision can name. */
export type DecisionRule = keyof typeof WORDS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal object are its keys
export const DECISION_RULES = Object.keys(WORDS) as readonly DecisionRule[];

/** Those that hold whatever moves; see `RuleWords`. */
export const LASTING_RULES = DECISION_RULES.filter((rule) => wordsOf(rule).lasts === true);

export function wordsOf(rule: DecisionRule): RuleWords {
  return WORDS[rule];
}
