import type { Reviewer } from "../review/reviewer.ts";
import type { VerdictRow } from "../review/verdict.ts";

/** What reviewers found: at most one current verdict of a reviewer on a commit of a task; see `isSameReviewer`. */
export interface VerdictTable {
  /** An earlier one of the same reviewer on the same commit is dropped. */
  add(verdict: Omit<VerdictRow, "id" | "state">): Promise<VerdictRow>;
  get(id: number): Promise<VerdictRow | undefined>;
  /** Oldest first. */
  ofTask(taskId: number): Promise<readonly VerdictRow[]>;
  /** The latest of agents of that role, in any repository, newest first. */
  latestOf(role: string, limit: number): Promise<readonly VerdictRow[]>;
  /** The commit of the agent's present verdict, undefined without one. */
  commitOf(agentId: number): Promise<string | undefined>;
  /** A person's request for changes of that commit does not stand any more; returns what was dropped. */
  lift(
    taskId: number,
    which: { readonly reviewer: Reviewer; readonly commit: string },
  ): Promise<readonly VerdictRow[]>;
  /** Current ones of the task on other commits than `keep`, and those of `reviewer` on any; returns what was dropped. */
  drop(
    taskId: number,
    which: { readonly keep: string | null; readonly reviewer?: Reviewer },
  ): Promise<readonly VerdictRow[]>;
}
