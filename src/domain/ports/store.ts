import type { AgentCounter, AgentRecord } from "../agents/agent-record.ts";
import type { RunRecord } from "../agents/run.ts";
import type { SessionRecord } from "../agents/session.ts";
import type { LeftOut } from "../kernel/claim-turns.ts";
import type { EffectKind } from "../kernel/effect.ts";
import type {
  Abandoned,
  DeliveryRow,
  EffectRow,
  Lease,
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
  CheckpointTable,
  ConversationTable,
  HandoffTable,
  IdsByRepository,
  IncidentTable,
  IntentTable,
  LoneOpeningTable,
  ProgressTable,
  QuestionTable,
  WakeTable,
} from "./agent-tables.ts";
import type {
  BacklogTable,
  DayBudgetTable,
  DecisionTable,
  LedgerTable,
  ReplayInputTable,
  RetentionTable,
  RunEventTable,
  SweepTable,
  ToolCallTable,
  TransitionTable,
  UsageTable,
} from "./audit-tables.ts";
import type { ListTable } from "./lists.ts";
import type { NodeTable, RoundTable } from "./node-tables.ts";
import type {
  KeptSecretTable,
  ProviderParkTable,
  RepositoryFileTable,
  ScopePauseTable,
  SignOutTable,
} from "./settings-tables.ts";
import type { AppIdentityTable, TokenRequestTable } from "./token-tables.ts";
import type {
  BlockersTable,
  CheckTable,
  EvidenceTable,
  IssueTextTable,
  PlanTable,
  ScreenTable,
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
  /** Returns the issues of matching records, each once, without reading the records. */
  issues<M extends "agent" | "task">(
    machine: M,
    where: Where<Records[M]>,
  ): Promise<readonly { readonly repositoryId: number; readonly issue: number }[]>;
  /** Returns the ids of matching records, in order, without reading the records. */
  ids<M extends MachineName>(machine: M, where: Where<Records[M]>): Promise<readonly number[]>;
  /** Inserts the record with an id and version 1. */
  insert<M extends MachineName>(machine: M, record: Records[M]): Promise<Records[M]>;
  /**
   * Writes only the fields that differ, and version + 1, if the stored id and version are those of `before`; else
   * throws `StaleSnapshot`. Never writes the counters of `AGENT_COUNTERS`.
   */
  save<M extends MachineName>(machine: M, before: Records[M], after: Records[M]): Promise<Records[M]>;
  /** Runs `SET n = n + by` without changing the version; returns the new value. */
  count(agentId: number, counter: AgentCounter, by: number): Promise<number>;
  /** Records activity and renews the lease of an agent that is ACTIVE with this token; false for any other. */
  renewLease(agentId: number, token: number, at: number, leaseUntil: number): Promise<boolean>;
  /**
   * Returns agents that have waited since before then, the longest first, at most `limit` after `after`, without
   * reading the records. `may_expire`: asleep, not for a review, a question or while held; `may_be_reminded`: a person
   * must act, and was reminded at most once.
   */
  longAsleep(
    which: "may_expire" | "may_be_reminded",
    before: number,
    after: LongAsleep | null,
    limit: number,
  ): Promise<readonly LongAsleep[]>;
  /** Returns HELD leases of reviews that end before `below`, the first to end first, at most `limit` after `after`. */
  heldLeases(page: LeasePage): Promise<readonly ReviewLeaseRecord[]>;
  /** Returns, for each repository with approved tasks, the issue of the oldest one. */
  firstApproved(): Promise<readonly { readonly repositoryId: number; readonly issue: number }[]>;
  /**
   * Returns tasks in the merge queue of a repository, see `isQueued`, in order of id, at most `limit` above the id
   * `after`.
   */
  queuedTasks(repositoryId: number, after: number, limit: number): Promise<readonly TaskRecord[]>;
  /** Returns the ids of live agents whose time to live is over. */
  outlived(now: number): Promise<readonly number[]>;
  /**
   * Renews the leases that end before `below`, of claimed tasks whose coder waits, the oldest first, in one statement.
   * Returns how many.
   */
  renewWaiting(renewal: { below: number; until: number; limit: number }): Promise<number>;
  /** Returns the ids of agents in CREATED by repository, in order, without reading the records. */
  created(): Promise<IdsByRepository>;
  /** Counts ACTIVE agents, and those with an unsettled `close_session`; those of one machine, if given. */
  slotsInUse(node?: string): Promise<number>;
  /** Returns the same by machine. */
  slotsByNode(): Promise<ReadonlyMap<string, number>>;
}

export interface EffectTable {
  /**
   * Adds effects and ignores existing keys. A pending display (`DISPLAYS`), or a pending reading of an issue, is not added
   * twice to its lane; it comes as early as the earliest of them. Returns an id for each effect, in order: that of its own row, or of the existing one.
   * `delivery`: the delivery that caused them; null or missing where none did.
   */
  add(effects: readonly NewEffect[], delivery?: string | null): Promise<readonly number[]>;
  /**
   * Leases the oldest unsettled row of each lane, if pending and due, without displays that were put off; while that row waits,
   * the first of `ANSWERS` after it. One of a lane at a time, oldest first, at most `limit`. Lanes of issues wait while one of `SHUT_HOLDERS`
   * holds their repository. With `lane`, that lane alone. Leaves out the rows of `except`.
   */
  lease(
    options: Lease & {
      now: number;
      leaseMs: (kind: EffectKind) => number;
      limit: number;
      lane?: string;
      /** Leaves what is `AT_ITS_NODE` to the agent's node, if that is another one which was seen after then. */
      presentSince?: number | undefined;
      /** Only what is `AT_ITS_NODE` of agents of this node. */
      isLeaving?: boolean;
      /** Leases these kinds alone; all where left out. */
      kinds?: readonly EffectKind[] | undefined;
      except?: LeftOut | null;
    },
  ): Promise<readonly EffectRow[]>;
  /** Only one that is leased with this token; else false. */
  settle(
    id: number,
    token: string,
    outcome: { state: "done" | "failed" | "skipped"; result: unknown; error: string | null; at: number },
  ): Promise<boolean>;
  /**
   * Makes it pending again, if it is leased with this token, else false; `uncertain` stays, `lagsUntil` is the last
   * uncertain try's; `attempts` rises here if `countAttempt`.
   */
  retry(
    id: number,
    token: string,
    options: {
      notBefore: number;
      error: string;
      uncertain: boolean;
      lagsUntil: number;
      countAttempt: boolean;
    },
  ): Promise<boolean>;
  /** Settles pending ones of a lane that were carried out together with a leased one of it. */
  settleTogether(ids: readonly number[], outcome: { result: unknown; at: number }): Promise<void>;
  /** Takes a lease back that nobody has acted on, since its answer did not arrive. */
  release(token: string): Promise<void>;
  get(id: number): Promise<EffectRow | undefined>;
  find(
    where: Where<Pick<EffectRow, "id" | "agentId" | "kind" | "state" | "lane" | "key" | "settledAt">>,
  ): Promise<readonly EffectRow[]>;
  /** Returns the newest of its kind in a lane, with `states` in one of them. */
  latest(
    lane: string,
    kind: "status_comment" | "react",
    states?: readonly EffectRow["state"][],
  ): Promise<EffectRow | undefined>;
  /** Returns the issue for which an agent opened this one; undefined for an issue that no agent opened. */
  openedFor(repositoryId: number, issue: number): Promise<number | undefined>;
  /** Makes a failed one pending again, and uncertain; false when there is none. */
  replay(id: number): Promise<boolean>;
  /**
   * Deletes at most `limit` readings done before then (ms since the epoch), oldest first: they are repeated often.
   * Returns how many.
   */
  dropRefreshes(before: number, limit: number): Promise<number>;
  /**
   * At start: makes what was leased and abandoned pending again, and uncertain, with lists lagging until `lagsUntil`.
   * Returns how many.
   */
  reclaim(
    abandoned: Abandoned & {
      readonly lagsUntil: number;
      /** Of the nodes' leases, only those of these kinds; of all kinds where left out. */
      readonly kinds?: readonly EffectKind[];
    },
  ): Promise<number>;
}

export interface DeliveryTable {
  /**
   * One transaction, synced to disk when it resolves. A known guid is ignored, but a dead one becomes pending again.
   */
  insert(deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * Claims the oldest unsettled row of each lane, if pending and due. Oldest first. Leaves out the rows of `except`; one
   * of no repository never.
   */
  claim(
    options: Lease & {
      readonly now: number;
      readonly leaseMs: number;
      readonly limit: number;
      readonly except?: LeftOut | null;
    },
  ): Promise<readonly DeliveryRow[]>;
  /** Takes a claim back that nobody has acted on, since its answer did not arrive. */
  release(token: string): Promise<void>;
  /** Only one that is claimed with this token; false when it was settled already, or claimed again by another. */
  settle(
    guid: string,
    token: string,
    state: "done" | "ignored" | "dead",
    note: string | null,
    at: number,
  ): Promise<boolean>;
  /**
   * Makes it pending for a later try, if it is claimed with this token, else false; `attempts` rises only here and
   * only if `countAttempt`.
   */
  retry(
    guid: string,
    token: string,
    options: { notBefore: number; note: string; countAttempt: boolean },
  ): Promise<boolean>;
  get(guid: string): Promise<DeliveryRow | undefined>;
  /** Newest first, without payloads (empty strings). */
  list(
    where: Where<Pick<DeliveryRow, "state" | "event" | "lane" | "receivedAt">>,
    limit: number,
  ): Promise<readonly DeliveryRow[]>;
  /** Makes a settled one with its payload pending again; false when there is none. */
  replay(guid: string): Promise<boolean>;
  /**
   * Empties the payloads of deliveries that were done or ignored before that time, at most `limit`; the rows stay, so
   * that a redelivery is recognized. Resolves with how many.
   */
  dropPayloads(before: number, limit: number): Promise<number>;
  /** At start: makes what was claimed and abandoned pending. Returns how many. */
  reclaim(abandoned: Abandoned): Promise<number>;
  /** Returns those of the guids that exist here, in any state. */
  known(guids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface RepositoryTable {
  /** Stores the latest known names. */
  put(repository: RepositoryRow): Promise<void>;
  get(id: number): Promise<RepositoryRow | undefined>;
  byName(owner: string, name: string): Promise<RepositoryRow | undefined>;
  /** Returns repositories whose last webhook came from this installation of the App, in order of id. */
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
  readonly screens: ScreenTable;
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
  readonly backlog: BacklogTable;
  readonly handoffs: HandoffTable;
  readonly progress: ProgressTable;
  readonly budget: DayBudgetTable;
  readonly incidents: IncidentTable;
  readonly providerParks: ProviderParkTable;
  readonly signOuts: SignOutTable;
  readonly keptSecrets: KeptSecretTable;
  readonly sweeps: SweepTable;
  readonly nodes: NodeTable;
  readonly rounds: RoundTable;
  readonly tokenRequests: TokenRequestTable;
  readonly appIdentities: AppIdentityTable;
  readonly blockers: BlockersTable;
  readonly archives: ArchiveTable;
  readonly checkpoints: CheckpointTable;
  readonly conversations: ConversationTable;
  readonly checks: CheckTable;
  readonly seenPulls: SeenPullTable;
  readonly repositoryFiles: RepositoryFileTable;
  readonly issueTexts: IssueTextTable;
  readonly replayInputs: ReplayInputTable;
}

/** Everything that outlives the process. Single statements may run outside a transaction. */
export interface Store extends Tables {
  /** BEGIN IMMEDIATE … COMMIT; rolled back when `work` throws. Only the database may be awaited inside. */
  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
