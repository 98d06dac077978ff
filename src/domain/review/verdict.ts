import type { Reviewer } from "./reviewer.ts";

/** A reviewer's comment on one line, or on one file where `line` is null. */
export interface VerdictComment {
  /** Relative to the repository. */
  readonly path: string;
  /** The line of the file at the commit. */
  readonly line: number | null;
  readonly body: string;
  /** The diff shows that line, so the comment can be placed there; others go into the review's own text. */
  readonly inline: boolean;
}

/** A reviewing agent's verdict on a commit. */
export interface GivenVerdict {
  readonly commit: string;
  readonly verdict: "approve" | "reject";
  readonly body: string;
  readonly comments: readonly VerdictComment[];
  /** Commands that the agent ran and relies on, as it quotes them. */
  readonly evidence: readonly string[];
}

/** A stored verdict. Times are milliseconds since the epoch. */
export interface VerdictRow extends Reviewer {
  readonly id: number;
  readonly taskId: number;
  /** The reviewing agent; null for a person. */
  readonly agentId: number | null;
  /** `dropped` = its commit is no longer under review, or the verdict was withdrawn. */
  readonly state: "current" | "dropped";
  readonly commit: string;
  readonly approves: boolean;
  readonly body: string;
  readonly comments: readonly VerdictComment[];
  readonly evidence: readonly string[];
  readonly createdAt: number;
}
