import type { Reviewer } from "./reviewer.ts";

/** What a reviewer says of one line, or of one file where `line` is null. */
export interface VerdictComment {
  /** Relative to the repository. */
  readonly path: string;
  /** Of the file as the commit has it. */
  readonly line: number | null;
  readonly body: string;
  /** The diff shows that line, so it can stand there; others are told in the review's own text. */
  readonly inline: boolean;
}

/** What a reviewing agent says of a commit. */
export interface GivenVerdict {
  readonly commit: string;
  readonly verdict: "approve" | "reject";
  readonly body: string;
  readonly comments: readonly VerdictComment[];
  /** Commands that it ran and rests on, as it quotes them. */
  readonly evidence: readonly string[];
}

/** A verdict as it is kept. Times are milliseconds since the epoch. */
export interface VerdictRow extends Reviewer {
  readonly id: number;
  readonly taskId: number;
  /** The reviewing agent; null for a person. */
  readonly agentId: number | null;
  /** `dropped` = its commit is under review no more, or it was taken back. */
  readonly state: "current" | "dropped";
  readonly commit: string;
  readonly approves: boolean;
  readonly body: string;
  readonly comments: readonly VerdictComment[];
  readonly evidence: readonly string[];
  readonly createdAt: number;
}
