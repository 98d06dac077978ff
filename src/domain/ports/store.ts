import type { AgentCounter, AgentRecord } from "../agents/agent-record.ts";
import type { RunRecord } from "../agents/run.ts";
import type { SessionRecord } from "../agents/session.ts";
import type { EffectKind } from "../kernel/effect.ts";
import type {
  DeliveryRow,
  EffectRow,
  MachineName,
  NewDelivery,
  NewEffect,
  RepositoryRow,
} from "../kernel/rows.ts";
import type { GoalRecord } from "../planning/goal.ts";
import type { SprintRecord } from "../planning/sprint.ts";
import type { ReviewLeaseRecord } from "../review/review-lease.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type {
  ApprovalTable,
  ArchiveTable,
  HandoffTable,
  IncidentTable,
  IntentTable,
  LoneOpeningTable,
  ProgressTable,
  QuestionTable,
  WakeTable,
} from "./agent-tables.ts";
import type {
  DayBudgetTable,
  DecisionTable,
  LedgerTable,
  MeterTable,
  ReplayInputTable,
  RetentionTable,
  RunEventTable,
  SweepTable,
  ToolCallTable,
  TransitionTable,
  UsageTable,
} from "./audit-tables.ts";
import type { ListTable } from "./lists.ts";
import type {
  ProviderParkTable,
  RepositoryFileTable,
  ScopePauseTable,
  SignOutTable,
} from "./settings-tables.ts";
import type {
  BlockersTable,
  CheckTable,
  EvidenceTable,
  IssueTextTable,
  PlanTable,
  SeenPullTable,
  VerdictTable,
} from "./work-tables.ts";

/** The records that machines move, by the machine's name. Times are milliseconds since the epoch. */
export interface Records extends Record<MachineName, unknown> {
  readonly agent: AgentRecord;
  readonly run: RunRecord;
  readonly session: SessionRecord;
  readonly task: TaskRecord;
  readonly review_lease: ReviewLeaseRecord;
  readonly sprint: SprintRecord;
  readonly goal: GoalRecord;
}
/** A number below or above another; null is neither. */
type Range = { readonly below: number } | { readonly above: number };
/** Equality on columns; an array means any of its values. */
export type Where<R> = {
  readonly [K in keyof R]?: R[K] | readonly R[K][] | (number extends R[K] ? Range : never);
};

export type LongAsleep = Pick<AgentRecord, "id" | "sleepingSince">;
type LeasePage = { below: number; after: ReviewLeaseRecord | null; limit: number };

export interface RecordTable {
  get<M extends MachineName>(machine: M, id: number): Promise<Records[M] | undefined>;
  /** In order of id. */
  find<M extends MachineName>(machine: M, where: Where<Records[M]>): Promise<readonly Records[M][]>;
  /** Returns the issues of such records, each once, without reading the records. */
  issues<M extends "agent" | "task">(
    machine: M,
    where: Where<Records[M]>,
  ): Promise<readonly { readonly repositoryId: number; readonly issue: number }[]>;
  /** Returns the ids of such records, in order, without reading the records. */
  ids<M extends MachineName>(machine: M, where: Where<Records[M]>): Promise<readonly number[]>;
  /** Gives the record its id and version 1. */
  insert<M extends MachineName>(machine: M, record: Records[M]): Promise<Records[M]>;
  /**
   * Writes only the fields that differ, and version + 1, where id and version are still `before`'s; throws
   * `StaleSnapshot` when they are not. Counters of `AGENT_COUNTERS` are never written here.
   */
  save<M extends MachineName>(machine: M, before: Records[M], after: Records[M]): Promise<Records[M]>;
  /** `SET n = n + by` without touching the version; returns the new value. */
  count(agentId: number, counter: AgentCounter, by: number): Promise<number>;
  /** Marks activity and renews the lease of an agent that is ACTIVE with this token, else false. */
  touch(agentId: number, token: number, at: number, leaseUntil: number): Promise<boolean>;
  /**
   * Agents that have waited since before then, not read, longest first, at most `limit` behind `after`. `may_expire`: asleep, not for a
   * review, a question or while held; `may_be_reminded`: a person must act, and was reminded once at most.
   */
  longAsleep(
    which: "may_expire" | "may_be_reminded",
    before: number,
    after: LongAsleep | null,
    limit: number,
  ): Promise<readonly LongAsleep[]>;
  /** HELD leases of reviews that end before `below`, the first to end first, at most `limit` behind `after`. */
  heldLeases(page: LeasePage): Promise<readonly ReviewLeaseRecord[]>;
  /** Of each repository that has approved tasks, the issue of the one that was made first. */
  firstApproved(): Promise<readonly { readonly repositoryId: number; readonly issue: number }[]>;
  /** Tasks in the merge train of a repository, as `isQueued` says, in order of id, at most `limit` above the id `after`. */
  aboard(repositoryId: number, after: number, limit: number): Promise<readonly TaskRecord[]>;
  /** Returns the ids of live agents whose time to live is over. */
  outlived(now: number): Promise<readonly number[]>;
  /** Renews the leases below `below` of claimed tasks whose coder waits, the oldest first, in one statement. Returns how many. */
  renewWaiting(renewal: { below: number; until: number; limit: number }): Promise<number>;
  /** ACTIVE agents, and those whose stop is still under way (an unsettled `close_session`). */
  slotsInUse(): Promise<number>;
}

export interface EffectTable {
  /**
   * Ignores keys that exist. A `status_comment` or a look at an issue that is pending already is not added twice to its lane. Returns an id
   * for each effect given, in order: its own row's, or that of the one that stands for it.
   */
  add(effects: readonly NewEffect[]): Promise<readonly number[]>;
  /**
   * Of each lane the oldest unsettled row, where it is pending and due; while that row waits, the first of `ANSWERS` behind
   * it. Leases them, one of a lane at a time, oldest first, at most `limit`. Lanes of issues wait while one of `SHUT_HOLDERS`
   * holds their repository. With `lane`, that lane alone.
   */
  lease(options: {
    now: number;
    leaseMs: (kind: EffectKind) => number;
    limit: number;
    lane?: string;
  }): Promise<readonly EffectRow[]>;
  /** Only while it is leased; false when it is not any more. */
  settle(
    id: number,
    outcome: { state: "done" | "failed" | "skipped"; result: unknown; error: string | null; at: number },
  ): Promise<boolean>;
  /** Pending again; `uncertain` stays, `lagsUntil` is the last uncertain try's; `attempts` goes up here if `countAttempt`. */
  retry(
    id: number,
    options: {
      notBefore: number;
      error: string;
      uncertain: boolean;
      lagsUntil: number;
      countAttempt: boolean;
    },
  ): Promise<void>;
  get(id: number): Promise<EffectRow | undefined>;
  find(
    where: Where<Pick<EffectRow, "agentId" | "kind" | "state" | "lane" | "key" | "settledAt">>,
  ): Promise<readonly EffectRow[]>;
  /** Returns the newest of its kind in a lane, in one of the states where some are named. */
  latest(
    lane: string,
    kind: "status_comment" | "react",
    states?: readonly EffectRow["state"][],
  ): Promise<EffectRow | undefined>;
  /** Returns the issue for which an agent opened this one; undefined for an issue that no agent opened. */
  openedFor(repositoryId: number, issue: number): Promise<number | undefined>;
  /** A failed one is pending once more, and uncertain; false when there is none. */
  replay(id: number): Promise<boolean>;
  /** Deletes at most `limit` looks done before then (ms since the epoch), oldest first: they are repeated often. Returns how many. */
  dropLooks(before: number, limit: number): Promise<number>;
  /** At start: what an earlier life had leased is pending again, and uncertain, lists lagging until then. Returns how many. */
  reclaim(lagsUntil: number): Promise<number>;
}

export interface DeliveryTable {
  /** One transaction, synced to disk when it resolves. A known guid is no news, but a dead one becomes pending again. */
  insert(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Of each lane the oldest unsettled row, where it is pending and due. Oldest first. */
  claim(options: { now: number; limit: number }): Promise<readonly DeliveryRow[]>;
  /** Only a claimed one; false when it was settled before. */
  settle(guid: string, state: "done" | "ignored" | "dead", note: string | null, at: number): Promise<boolean>;
  /** Back to pending for a later try; `attempts` goes up only here and only when `countAttempt`. */
  retry(guid: string, options: { notBefore: number; note: string; countAttempt: boolean }): Promise<void>;
  get(guid: string): Promise<DeliveryRow | undefined>;
  /** Newest first, without payloads (empty strings). */
  list(
    where: Where<Pick<DeliveryRow, "state" | "event" | "lane" | "receivedAt">>,
    limit: number,
  ): Promise<readonly DeliveryRow[]>;
  /** Returns a settled one that has its payload still becomes pending again; false when there is none. */
  replay(guid: string): Promise<boolean>;
  /**
   * Empties the payloads of those that were done or ignored before that time, at most `limit` of them; the rows stay, so
   * that a redelivery is known. Resolves with how many.
   */
  dropPayloads(before: number, limit: number): Promise<number>;
  /** At start: claimed by an earlier life becomes pending. */
  reclaim(): Promise<number>;
  /** Those of the guids that are here, in whatever state. */
  known(guids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface RepositoryTable {
  /** Remembers the latest known names. */
  put(repository: RepositoryRow): Promise<void>;
  get(id: number): Promise<RepositoryRow | undefined>;
  byName(owner: string, name: string): Promise<RepositoryRow | undefined>;
  /** Those that were last heard of under this installation of the App, in order of id. */
  ofInstallation(installationId: number): Promise<readonly RepositoryRow[]>;
  /** In order of id. */
  all(): Promise<readonly RepositoryRow[]>;
}

export interface Tables {
  readonly records: RecordTable;
  readonly transitions: TransitionTable;
  readonly decisions: DecisionTable;
  readonly effects: EffectTable;
  readonly wakes: WakeTable;
  readonly intents: IntentTable;
  readonly evidence: EvidenceTable;
  readonly verdicts: VerdictTable;
  readonly deliveries: DeliveryTable;
  readonly repositories: RepositoryTable;
  readonly approvals: ApprovalTable;
  readonly questions: QuestionTable;
  readonly scopePauses: ScopePauseTable;
  readonly toolCalls: ToolCallTable;
  readonly retention: RetentionTable;
  readonly runEvents: RunEventTable;
  readonly usage: UsageTable;
  readonly ledger: LedgerTable;
  readonly lists: ListTable;
  readonly plans: PlanTable;
  readonly loneOpenings: LoneOpeningTable;
  readonly meters: MeterTable;
  readonly handoffs: HandoffTable;
  readonly progress: ProgressTable;
  readonly budget: DayBudgetTable;
  readonly incidents: IncidentTable;
  readonly providerParks: ProviderParkTable;
  readonly signOuts: SignOutTable;
  readonly sweeps: SweepTable;
  readonly blockers: BlockersTable;
  readonly archives: ArchiveTable;
  readonly checks: CheckTable;
  readonly seenPulls: SeenPullTable;
  readonly repositoryFiles: RepositoryFileTable;
  readonly issueTexts: IssueTextTable;
  readonly replayInputs: ReplayInputTable;
}

/** Everything that outlives the process. Single statements may run outside a transaction. */
export interface Store extends Tables {
  /** BEGIN IMMEDIATE … COMMIT; rolled back when `work` throws. Nothing but the database may be awaited inside. */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
