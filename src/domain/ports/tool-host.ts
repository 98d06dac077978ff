import type { HandoffText } from "../conversation/handoff.ts";
import type { AskedQuestion, QuestionOption } from "../questions/question.ts";
import type { GivenVerdict, VerdictComment } from "../review/verdict.ts";
import type { ToolAnswer } from "./agent-runtime.ts";

/** What a lifecycle tool asks for; recorded, and applied when the exchange ends. */
export type Intent =
  | {
      readonly kind: "report_blocked";
      readonly blocker: number;
      /** Full name of the blocker's repository where the agent named one. */
      readonly repository?: string;
      readonly reason: string;
    }
  /** Of a coder: no issue stands in its way, its task needs replanning. */
  | { readonly kind: "report_blocked"; readonly cause: "replanning"; readonly reason: string }
  | { readonly kind: "report_complete"; readonly summary: string }
  /** Of a coder: its work is to be reviewed, and it sleeps until that is done. */
  | { readonly kind: "request_review"; readonly summary: string }
  /** Of a reviewer. */
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
      /** From the moment when the agent falls asleep. */
      readonly deadlineMs: number;
      /** Logins of those whom the comment names. */
      readonly askedOf: readonly string[];
    };

/** A report of a block, by what blocks. */
export type BlockReport = Extract<Intent, { kind: "report_blocked" }>;
export type IssueBlock = Exclude<BlockReport, { cause: "replanning" }>;

/** What a work tool puts out; done through the outbox while the tool waits, at most 60 s. */
export type Output =
  | { readonly kind: "commit"; readonly message: string }
  | { readonly kind: "open_pr"; readonly title: string; readonly body: string }
  | { readonly kind: "comment"; readonly body: string }
  | { readonly kind: "label"; readonly label: string }
  | {
      readonly kind: "create_blocker_issue";
      readonly title: string;
      readonly body: string;
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "create_sub_issue";
      readonly title: string;
      readonly body: string;
      /** The coder that is to do it; null for the first that there is. */
      readonly role: string | null;
      /** Sub-issues that the same planner opened before. */
      readonly after: readonly number[];
    };

/** What an evaluator says of a claim. */
export interface Evaluation {
  /** That the work does what its issue asks, 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/**
 * What the tools of one agent reach in the engine. Repository, issue and branch come from the agent's record, never
 * from arguments. Answers are texts for the model; nothing here throws.
 */
export interface ToolHost {
  intend(intent: Exclude<Intent, { kind: "ask_human" | "submit_verdict" }>): Promise<ToolAnswer>;
  /** Checked, completed with who is asked and until when, and recorded as an intent. */
  askHuman(asked: AskedQuestion): Promise<ToolAnswer>;
  /** Of a reviewer: checked against what it reviews and what it ran, and recorded as an intent. */
  submitVerdict(
    given: Omit<GivenVerdict, "comments"> & { readonly comments: readonly Omit<VerdictComment, "inline">[] },
  ): Promise<ToolAnswer>;
  /** What it will do, before it changes anything; ends planning. */
  submitPlan(plan: string): Promise<ToolAnswer>;
  output(output: Output, toolCallId: string): Promise<ToolAnswer>;
  /** What the next conversation continues from; only when the host has asked for it. */
  writeHandoff(handoff: HandoffText): Promise<ToolAnswer>;
  /** Of an evaluator, once. */
  submitEvaluation(evaluation: Evaluation): Promise<ToolAnswer>;
  /** Of a planner: its drafts are ready. */
  finalizePlan(): Promise<ToolAnswer>;
  /** Of a planner: a blocked task of its issue or of a part of that is tried otherwise. */
  rescopeTask(wanted: { readonly issue: number; readonly reason: string }): Promise<ToolAnswer>;
  /** Of a planner: another issue takes the place of such a task. */
  supersedeTask(wanted: {
    readonly issue: number;
    readonly by: number;
    readonly reason: string;
  }): Promise<ToolAnswer>;
  restoreFiles(paths: readonly string[]): Promise<ToolAnswer>;
  /** The own issue when no number is given; another of the same repository otherwise. */
  readIssue(number: number | null): Promise<ToolAnswer>;
  /** The own pull request when no number is given. */
  readPullRequest(number: number | null): Promise<ToolAnswer>;
  /** What arrived for this agent while it works; delivered once. */
  checkForEvents(): Promise<ToolAnswer>;
  /** The live agents of the repository. */
  listFleet(): Promise<ToolAnswer>;
  /** Own state, limits and what is used of them. */
  status(): Promise<ToolAnswer>;
}
