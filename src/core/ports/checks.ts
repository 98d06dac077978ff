import type { CheckAttempt } from "../checks/attempts.ts";

/** What one run of a required check came to, as it was met. */
export interface SeenCheck {
  readonly repositoryId: number;
  /** The commit; for the base branch its full name (`refs/heads/main`), of which only failures are kept. */
  readonly ref: string;
  readonly name: string;
  /** Tells runs of one check on one commit apart. */
  readonly run: string;
  readonly state: "green" | "red";
  readonly conclusion: string;
  readonly fingerprint: string | null;
  /** Of a red one: the job and the step that failed, and what of its log is shown; null and empty where it says nothing. */
  readonly job: string | null;
  readonly step: string | null;
  readonly log: string;
  /** The base branch failed in the same way then. */
  readonly excused: boolean;
  readonly rerun: "asked" | "refused" | null;
  /** Milliseconds since the epoch; null while it was not asked to run again. */
  readonly rerunAt: number | null;
  readonly seenAt: number;
}

/** Which run is meant. */
export type CheckRunKey = Pick<SeenCheck, "repositoryId" | "ref" | "name" | "run">;

export interface CheckTable {
  /** What is known of a run stays: the first word counts. */
  see(rows: readonly SeenCheck[]): Promise<void>;
  /** Oldest first. */
  ofRef(repositoryId: number, ref: string): Promise<readonly SeenCheck[]>;
  /** Failures of these checks that went away without a new commit. */
  flakes(
    repositoryId: number,
    names: readonly string[],
  ): Promise<readonly { readonly name: string; readonly fingerprint: string }[]>;
  /** The base branch fails in the same way as these runs. */
  excuse(runs: readonly CheckRunKey[]): Promise<void>;
  /** The run was asked to run again, or cannot be. */
  rerun(run: CheckRunKey, state: "asked" | "refused", at: number): Promise<void>;
  /** Oldest first. */
  attempts(taskId: number): Promise<readonly CheckAttempt[]>;
  /** One a task, commit and check; more of the same are no news. */
  attempt(rows: readonly CheckAttempt[]): Promise<void>;
}
