/** What people are told of a rule beside the reason of the one decision. */
export interface RuleWords {
  /** What was decided, in a few words. */
  readonly what: string;
  /** What a person can do next, where the decision has no advice of its own. */
  readonly next: string;
  /** It explains no state: it holds whatever moves, until the task has ended. */
  readonly lasts?: true;
}
