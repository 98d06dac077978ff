import type { QuestionOption } from "../questions/question.ts";
import type { GivenVerdict } from "../review/verdict.ts";

/** What a reporting tool asks for; recorded, and applied when the exchange ends. */
export type Intent =
  | {
      readonly kind: "report_blocked";
      readonly blocker: number;
      /** Full name of the blocker's repository where the agent named one. */
      readonly repository?: string;
      readonly reason: string;
    }
  /** From a coder: no issue blocks the work, the task itself needs replanning. */
  | { readonly kind: "report_blocked"; readonly cause: "replanning"; readonly reason: string }
  | { readonly kind: "report_complete"; readonly summary: string }
  /** From a coder: its work is ready for review, and it sleeps until the review is done. */
  | { readonly kind: "request_review"; readonly summary: string }
  /** From a reviewer. */
  | ({ readonly kind: "submit_verdict" } & GivenVerdict)
  | {
      readonly kind: "escalate_to_human";
      readonly reason: string;
      readonly category: string;
      readonly question: string | null;
    }
  | {
      readonly kind: "ask_human";
      readonly question: string;
      readonly options: readonly QuestionOption[];
      readonly recommended: string | null;
      readonly defaultOption: string | null;
      /** Milliseconds from the time when the agent falls asleep. */
      readonly deadlineMs: number;
      /** Logins that the comment mentions. */
      readonly askedOf: readonly string[];
    };

/** A report of a block, by what blocks. */
export type BlockReport = Extract<Intent, { kind: "report_blocked" }>;
export type IssueBlock = Exclude<BlockReport, { cause: "replanning" }>;
