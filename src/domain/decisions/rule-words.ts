/** What people read about a rule, besides the reason of the single decision. */
export interface RuleWords {
  /** What was decided, in a few words. */
  readonly what: string;
  /** What a person can do next, where the decision has no advice of its own. */
  readonly next: string;
  /** The rule explains no state: it holds through all moves, until the task has ended. */
  readonly lasts?: true;
}
