/** A comment of an issue, as it was before the work on the issue began. */
interface TrialComment {
  readonly author: string;
  readonly body: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A closed issue whose merged pull request has the tests by which an agent's own solution is judged. */
export interface TrialCase {
  readonly issue: number;
  /** Title, body and comments are those from before the work of the pull request began. */
  readonly title: string;
  readonly body: string;
  /** Login; empty where the account is gone. */
  readonly author: string;
  readonly comments: readonly TrialComment[];
  readonly pull: number;
  /** The commit from which the pull request began. */
  readonly base: string;
  /** The last commit of the pull request: its files are the real result. */
  readonly change: string;
  /** Paths of the tests that the pull request added, changed or deleted, and of the data that they read. */
  readonly tests: readonly string[];
}

/** Why an issue is no measure. */
export const LEFT_OUT_REASONS = [
  // As GitHub tells of it.
  "no_pull",
  "several_issues",
  "opened_later",
  "edited_later",
  "text_names_fix",
  "text_holds_fix",
  // As the history tells of it.
  "no_history",
  "no_tests",
  "only_tests",
  // As its own tests tell of it.
  "setup_failed",
  "never_failed",
  "fails_with_change",
  "flaky",
  "not_run",
] as const;

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** An issue that measures nothing, with the reason. */
export interface LeftOut {
  readonly issue: number;
  readonly reason: LeftOutReason;
  /** A sentence. */
  readonly detail: string;
}

/** What looking at one issue gives. */
export type Candidate =
  | { readonly kind: "case"; readonly case: TrialCase }
  | { readonly kind: "left_out"; readonly leftOut: LeftOut };

/**
 * Names of single tests, as the output of the test command has them; both null where it names none. A solution must make
 * the first pass, and breaks those of the second that no longer do.
 */
export interface Measure {
  /** Failed or were missing before the real change, and pass with it. */
  readonly mended: readonly string[] | null;
  /** Pass before the real change, and with it. */
  readonly kept: readonly string[] | null;
}

/** What running the tests of a case before and with the real change gives. */
export type CaseCheck =
  | { readonly kind: "measures"; readonly measure: Measure }
  | { readonly kind: "left_out"; readonly leftOut: LeftOut };

/** What the tests of the real pull request say of an agent's result. */
export interface Verdict {
  readonly solved: boolean;
  /** How many tests passed before and do not now; null where the output names no tests. */
  readonly broken: number | null;
  /** The end of the output, without secrets. */
  readonly output: string;
}

/** How an agent's work on a case ended. */
export type TrialEnd = "completed" | "escalated" | "failed" | "out_of_budget";

/** The work of one agent with one model on one case, and its verdict. */
export interface TrialRun {
  readonly issue: number;
  readonly agent: string;
  readonly model: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly end: TrialEnd;
  readonly solved: boolean;
  readonly broken: number | null;
  readonly turns: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** US dollars. */
  readonly cost: number;
  readonly seconds: number;
  /** The last commit of the agent's branch; null where it committed nothing. */
  readonly head: string | null;
}
