import type { DecisionRow } from "../rows.ts";

/** Why something was or was not done. */
export interface DecisionTable {
  /**
   * The same rule and reason as the latest decision about the same agent (or none) of the issue is a repeat: counted
   * there, once a minute at the most, and no row of its own. Another delivery, and one that no longer holds, always
   * gets one. Resolves with the id of a new row, null for a repeat.
   */
  add(row: Omit<DecisionRow, "id" | "count" | "lastAt">): Promise<number | null>;
  /** Newest first. */
  ofIssue(repositoryId: number, issue: number, limit: number): Promise<readonly DecisionRow[]>;
  /** Those about commits of other people on the branch of its work: one of each `inputs`, so that each person is there. */
  foreignCommits(repositoryId: number, issue: number, limit: number): Promise<readonly DecisionRow[]>;
  /**
   * The newest decision with a `change` that still holds: no move of the issue's task came after it, nor of the agent
   * that it is about, or of any agent where it is about none. One of a rule that `lasts` holds until the task ends.
   */
  inForce(repositoryId: number, issue: number): Promise<DecisionRow | undefined>;
}
