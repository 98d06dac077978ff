import type { BlockersRow, IssueRef } from "../blockers/blockers.ts";
import type { CheckAttempt } from "../checks/attempts.ts";
import type { ScreenPicture, ScreenRow, TakenScreen } from "../evidence/screens.ts";
import type { EvidenceRow } from "../kernel/rows.ts";
import type { GoalRecord } from "../planning/goal.ts";
import type { SprintRecord } from "../planning/sprint.ts";
import type { Reviewer } from "../review/reviewer.ts";
import type { VerdictRow } from "../review/verdict.ts";
import type { TaskState } from "../tasks/task-record.ts";
import type { Listed, OfRepositories, PageOf } from "./lists.ts";

/** At most one row for each issue, as last read from GitHub. */
export interface BlockersTable {
  get(repositoryId: number, issue: number): Promise<BlockersRow | undefined>;
  /** Returns rows whose blockers include the issue, open or closed. */
  blocking(blocker: IssueRef): Promise<readonly BlockersRow[]>;
  /**
   * Returns ids of the agents of that repository that reported the issue as their blocker, in order; ended ones
   * included.
   */
  reportedBy(repositoryId: number, number: number): Promise<readonly number[]>;
  put(row: BlockersRow): Promise<void>;
}

/** The result of one run of a required check, as first read. */
export interface SeenCheck {
  readonly repositoryId: number;
  /** The commit; for the base branch its full name (`refs/heads/main`), for which only failures are stored. */
  readonly ref: string;
  readonly name: string;
  /** Identifies a run among those of one check on one commit. */
  readonly run: string;
  readonly state: "green" | "red";
  readonly conclusion: string;
  readonly fingerprint: string | null;
  /**
   * For a red one: the job and the step that failed, and the shown part of its log; null and empty where it reports
   * nothing.
   */
  readonly job: string | null;
  readonly step: string | null;
  readonly log: string;
  /** The base branch failed in the same way then. */
  readonly excused: boolean;
  readonly rerun: "asked" | "refused" | null;
  /** Milliseconds since the epoch; null while no rerun was requested. */
  readonly rerunAt: number | null;
  readonly seenAt: number;
}

/** The key of a run. */
export type CheckRunKey = Pick<SeenCheck, "repositoryId" | "ref" | "name" | "run">;

export interface CheckTable {
  /** Keeps existing rows of a run: the first result counts. */
  see(rows: readonly SeenCheck[]): Promise<void>;
  /** Oldest first. */
  ofRef(repositoryId: number, ref: string): Promise<readonly SeenCheck[]>;
  /** Returns failures of these checks that disappeared without a new commit. */
  flakes(
    repositoryId: number,
    names: readonly string[],
  ): Promise<readonly { readonly name: string; readonly fingerprint: string }[]>;
  /** Records that the base branch fails in the same way as these runs. */
  excuse(runs: readonly CheckRunKey[]): Promise<void>;
  /** Records that a rerun was requested, or cannot be. */
  rerun(run: CheckRunKey, state: "asked" | "refused", at: number): Promise<void>;
  /** Oldest first. */
  attempts(taskId: number): Promise<readonly CheckAttempt[]>;
  /** One for each task, commit and check; repeats are ignored. */
  attempt(rows: readonly CheckAttempt[]): Promise<void>;
}

/** What the host found when it checked the work itself. */
export interface EvidenceTable {
  add(row: Omit<EvidenceRow, "id">): Promise<void>;
  /** Oldest first, as those of a claim. */
  ofAgent(agentId: number): Promise<readonly EvidenceRow[]>;
  ofClaim(intentId: number): Promise<readonly EvidenceRow[]>;
}

/** Pictures of agents' work; an agent has those of one commit. */
export interface ScreenTable {
  /** Replaces the agent's pictures. */
  replace(
    agentId: number,
    taken: Pick<ScreenRow, "commit" | "baseCommit" | "digest" | "createdAt"> & {
      readonly screens: readonly TakenScreen[];
    },
  ): Promise<void>;
  /** In the order in which people see them; without the pictures themselves. */
  ofAgent(agentId: number): Promise<readonly ScreenRow[]>;
  /** Null where the agent has no such row, or the row no such picture. */
  picture(agentId: number, id: number, which: ScreenPicture): Promise<Uint8Array | null>;
  /** Returns the pictures of a base commit that the latest agent of the repository has, by page and size. */
  before(of: {
    readonly repositoryId: number;
    readonly baseCommit: string;
    readonly digest: string;
  }): Promise<readonly (Pick<ScreenRow, "page" | "size"> & { readonly before: Uint8Array })[]>;
}

/** A goal with its sprints, or a sprint that belongs to no goal. */
export interface PlannedWork {
  readonly repositoryId: number;
  readonly goal: GoalRecord | null;
  readonly sprints: readonly SprintRecord[];
  /** The latest task of each issue, by issue; null for a sub-issue on which no work has begun. */
  readonly tasks: readonly { readonly issue: number; readonly state: TaskState | null }[];
  /** All their agents, including those that have ended. */
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
  /**
   * Returns what the issue tracks or belongs to: the latest goal there, else the sprint of its latest task with that
   * one's goal.
   */
  ofIssue(repositoryId: number, issue: number): Promise<PlannedWork | undefined>;
  /** Counts sprints at CHECKPOINT. */
  checkpoints(repositories: OfRepositories): Promise<number>;
}

/** An issue's text at the time when a person with permission started work on it, or changed it. */
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
  /** Replaces what was approved before. */
  put(row: IssueTextRow): Promise<void>;
  of(repositoryId: number, issue: number): Promise<IssueTextRow | undefined>;
}

/** What reviewers found: at most one current verdict of a reviewer on a commit of a task; see `isSameReviewer`. */
export interface VerdictTable {
  /** Drops an earlier one of the same reviewer on the same commit. */
  add(verdict: Omit<VerdictRow, "id" | "state">): Promise<VerdictRow>;
  get(id: number): Promise<VerdictRow | undefined>;
  /** Oldest first. */
  ofTask(taskId: number): Promise<readonly VerdictRow[]>;
  /** Returns the latest verdicts of agents of that role, in any repository, newest first. */
  latestOf(role: string, limit: number): Promise<readonly VerdictRow[]>;
  /** Returns the commit of the agent's current verdict; undefined without one. */
  commitOf(agentId: number): Promise<string | undefined>;
  /** Drops a person's request for changes of that commit, which no longer counts; returns what was dropped. */
  lift(
    taskId: number,
    which: { readonly reviewer: Reviewer; readonly commit: string },
  ): Promise<readonly VerdictRow[]>;
  /**
   * Drops current verdicts of the task on other commits than `keep`, and those of `reviewer` on any; returns what was
   * dropped.
   */
  drop(
    taskId: number,
    which: { readonly keep: string | null; readonly reviewer?: Reviewer },
  ): Promise<readonly VerdictRow[]>;
}

/** The last reading of a pull request of ours that may wait for people. */
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
