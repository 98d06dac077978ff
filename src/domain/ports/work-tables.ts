import type { BlockersRow, IssueRef } from "../blockers/blockers.ts";
import type { CheckAttempt } from "../checks/attempts.ts";
import type { EvidenceRow } from "../kernel/rows.ts";
import type { GoalRecord } from "../planning/goal.ts";
import type { SprintRecord } from "../planning/sprint.ts";
import type { Reviewer } from "../review/reviewer.ts";
import type { VerdictRow } from "../review/verdict.ts";
import type { TaskState } from "../tasks/task-record.ts";
import type { Listed, OfRepositories, PageOf } from "./lists.ts";

/** One row an issue at the most, as GitHub was read last. */
export interface BlockersTable {
  get(repositoryId: number, issue: number): Promise<BlockersRow | undefined>;
  /** Those among whose blockers the issue is, open or closed. */
  blocking(blocker: IssueRef): Promise<readonly BlockersRow[]>;
  /** Ids of the agents of that repository that reported it as what they wait for, in order; ended ones among them. */
  reportedBy(repositoryId: number, number: number): Promise<readonly number[]>;
  put(row: BlockersRow): Promise<void>;
}

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

/** What the host found when it checked the work itself. */
export interface EvidenceTable {
  add(row: Omit<EvidenceRow, "id">): Promise<void>;
  /** Oldest first, as those of a claim. */
  ofAgent(agentId: number): Promise<readonly EvidenceRow[]>;
  ofClaim(intentId: number): Promise<readonly EvidenceRow[]>;
}

/** A goal with its sprints, or a sprint that belongs to no goal. */
export interface PlannedWork {
  readonly repositoryId: number;
  readonly goal: GoalRecord | null;
  readonly sprints: readonly SprintRecord[];
  /** The latest task of each issue, by issue; null for a sub-issue on which no work has begun. */
  readonly tasks: readonly { readonly issue: number; readonly state: TaskState | null }[];
  /** Of all their agents, those that have ended too. */
  readonly agents: number;
  readonly costMicroUsd: number;
}

/** Goals and sprints for people and programs, each call in a fixed number of statements. */
export interface PlanTable {
  /** The latest first; with `open` only those that are not over. */
  list(
    where: { readonly open: boolean; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<PlannedWork>[]>;
  /** What the issue tracks or belongs to: the latest goal there, else the sprint of its latest task with that one's goal. */
  ofIssue(repositoryId: number, issue: number): Promise<PlannedWork | undefined>;
  /** Sprints at CHECKPOINT. */
  checkpoints(repositories: OfRepositories): Promise<number>;
}

/** An issue as it stood when a person with permission set work on it going, or changed it. */
export interface IssueTextRow {
  readonly repositoryId: number;
  readonly issue: number;
  readonly title: string;
  readonly body: string;
  /** Login of that person. */
  readonly approvedBy: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface IssueTextTable {
  /** Takes the place of what was approved before. */
  put(row: IssueTextRow): Promise<void>;
  of(repositoryId: number, issue: number): Promise<IssueTextRow | undefined>;
}

/** What reviewers found: at most one current verdict of a reviewer on a commit of a task; see `isSameReviewer`. */
export interface VerdictTable {
  /** An earlier one of the same reviewer on the same commit is dropped. */
  add(verdict: Omit<VerdictRow, "id" | "state">): Promise<VerdictRow>;
  get(id: number): Promise<VerdictRow | undefined>;
  /** Oldest first. */
  ofTask(taskId: number): Promise<readonly VerdictRow[]>;
  /** Returns the latest of agents of that role, in any repository, newest first. */
  latestOf(role: string, limit: number): Promise<readonly VerdictRow[]>;
  /** Returns the commit of the agent's present verdict, undefined without one. */
  commitOf(agentId: number): Promise<string | undefined>;
  /** Returns a person's request for changes of that commit does not stand any more; returns what was dropped. */
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

/** What was read last of a pull request of ours that may await people. */
export interface SeenPullRow {
  readonly repositoryId: number;
  readonly pull: number;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Lines added and deleted; null where GitHub does not say. */
  readonly changedLines: number | null;
  /** Logins of the requested reviewers and the assignees. */
  readonly asked: readonly string[];
}

export interface SeenPullTable {
  put(row: SeenPullRow): Promise<void>;
  ofRepositories(ids: readonly number[]): Promise<readonly SeenPullRow[]>;
}
