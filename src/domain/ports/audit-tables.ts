import type { AgentState } from "../agents/agent-record.ts";
import type { EffectKind } from "../kernel/effect.ts";
import type {
  DecisionRow,
  DeliveryRow,
  KeptKind,
  RunEventRow,
  ToolCallRow,
  TransitionRow,
} from "../kernel/rows.ts";
import type { Outcome } from "../replay/outcome.ts";
import type { Answers } from "../replay/recorded-answers.ts";
import type { LedgerRows } from "../reporting/postings.ts";
import type { Touch } from "../reporting/touch.ts";

export interface ToolCallTable {
  start(call: {
    agentId: number;
    toolCallId: string;
    tool: string;
    input: string;
    turn: number;
    at: number;
  }): Promise<void>;
  /** Of the calls of that name the oldest that runs; undefined when none does: the first end counts. */
  end(call: {
    agentId: number;
    toolCallId: string;
    status: "success" | "failure" | "denied";
    output: string;
    at: number;
  }): Promise<ToolCallRow | undefined>;
  /** Returns every call that still runs, of one agent or of all, has been cut off. Returns them as they are now. */
  interrupt(of: { agentId: number | null; at: number }): Promise<readonly ToolCallRow[]>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly ToolCallRow[]>;
}

export interface RunEventTable {
  /** `runId` is the agent's latest run. */
  add(row: Omit<RunEventRow, "id" | "runId" | "turn">): Promise<void>;
  /** Rows with an id above `id`, oldest first; of one agent when given. */
  after(id: number, options: { limit: number; agentId: number | null }): Promise<readonly RunEventRow[]>;
  /** Returns the highest id ever given; 0 when there was none. */
  latest(): Promise<number>;
  /**
   * Deletes pieces of speech that are older than `before`, and all but the latest `keep` of each agent; at most `limit`
   * at once. Returns how many.
   */
  pruneTokens(options: { before: number; keep: number; limit: number }): Promise<number>;
}

export interface UsageTable {
  add(usage: {
    agentId: number;
    model: string;
    inputTokens: number;
    outputTokens: number;
    cachedTokens: number;
    costMicroUsd: number;
    at: number;
  }): Promise<void>;
}

/** Limits of a repository and day. Days are counted from the epoch, in UTC. */
export interface DayBudgetTable {
  /** Micro-dollars. */
  spent(repositoryId: number, day: number): Promise<number>;
  /** Agents that went from CREATED to ACTIVE. */
  startedSince(repositoryId: number, since: number): Promise<number>;
  grant(grant: {
    repositoryId: number;
    day: number;
    costMicroUsd: number;
    agents: number;
    grantedBy: string;
    issue: number;
    at: number;
  }): Promise<void>;
  /** Returns the sum of all grants for the day. */
  granted(repositoryId: number, day: number): Promise<{ costMicroUsd: number; agents: number }>;
}

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

/** The moves of all machines. */
export interface TransitionTable {
  add(row: Omit<TransitionRow, "id">): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly TransitionRow[]>;
  /** Returns the latest ones of the issue's agents and task, at most `limit`, the oldest of them first. */
  ofIssue(repositoryId: number, issue: number, limit: number): Promise<readonly TransitionRow[]>;
  /** Agents' moves since then by which they failed, may have failed, or asked for a person. Oldest first. */
  failures(since: number): Promise<readonly TransitionRow[]>;
  /** How many agents of the issue have started since then. */
  starts(repositoryId: number, issue: number, since: number): Promise<number>;
  /** Rows with an id above `id`, oldest first. */
  after(id: number, limit: number): Promise<readonly TransitionRow[]>;
}

/** A part of all work: a repository, or some of its issues. */
export interface LedgerPart {
  readonly repositoryId: number;
  /** Null for all issues. */
  readonly issues: readonly number[] | null;
}

/** What the work cost, and what people had to do for it. */
export interface LedgerTable {
  /** Ignored when the repository has one of this key. */
  touch(touch: Touch): Promise<void>;
  /**
   * All that happened at `since` or later, in milliseconds since the epoch; of all work with null. Each slice has a few
   * issues, whole and with all of their agents, or nothing, so that the event loop can run between any two.
   */
  slices(since: number, part: LedgerPart | null): AsyncIterable<LedgerRows>;
}

/** Where a delivery belongs; both null for one that was ignored before its issue was known. */
interface GroundPlace {
  readonly guid: string;
  readonly repositoryId: number | null;
  readonly issue: number | null;
}

/** What a delivery was decided on. */
export interface ReplayInputRow extends GroundPlace {
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number;
  readonly answers: Answers;
  /** The rows of the database as they were, packed for `openReplayInputs`; null for one that was ignored, and where they were too many. */
  readonly known: Uint8Array | null;
}

/**
 * What each delivery was decided on: GitHub's answers, and the rows of the database that its issue's decisions rest on.
 * With them and its payload the decision can be made again. Kept as long as the payload.
 */
export interface ReplayInputTable {
  /** First in the transaction that decides, in the place of what was kept of an earlier handling of the same delivery. */
  begin(place: GroundPlace & { readonly at: number; readonly answers: Answers }): Promise<void>;
  /** Last in the same transaction: what it wrote until here is the outcome. */
  end(guid: string): Promise<void>;
  /** A delivery that was ignored, by what GitHub answered. */
  ignored(ground: { readonly guid: string; readonly at: number; readonly answers: Answers }): Promise<void>;
  get(guid: string): Promise<ReplayInputRow | undefined>;
  /** Delivery ids of the issue, in the order in which they were decided. */
  ofIssue(repositoryId: number, issue: number): Promise<readonly string[]>;
  /** Returns the issues that were decided about last, the latest first. */
  latestIssues(repositoryId: number, limit: number): Promise<readonly number[]>;
  /** What was written in the transaction of that delivery; undefined where it was not kept. */
  outcome(guid: string): Promise<Outcome | undefined>;
  /** Forgets what was decided before that time, at most `limit` of it. */
  drop(before: number, limit: number): Promise<void>;
}

/** A walk through one table, from its oldest row on. */
export interface RetentionWalk {
  readonly table: string;
  readonly kind: KeptKind;
}

/** What of ended work goes when its time is over. Rows of an issue where anybody lives are never touched. */
export interface RetentionTable {
  readonly walks: readonly RetentionWalk[];
  /**
   * Looks at the next `limit` rows behind the row `from` and deletes those that are older than `before` (ms since the
   * epoch) and belong to work that ended before then. Resolves with the row that it came to; null at the first row that
   * is younger, or at the end.
   */
  sweep(
    walk: RetentionWalk,
    options: { readonly from: number; readonly before: number; readonly limit: number },
  ): Promise<{ readonly to: number | null; readonly deleted: number }>;
}

/** How far the webhooks that GitHub sent have been looked through. */
export interface SweepTable {
  /** Milliseconds since the epoch; null when there was no sweep yet. */
  last(): Promise<number | null>;
  done(at: number): Promise<void>;
}

/** What waits in the database at this moment. */
export interface Waiting {
  /** Deliveries that are not done: waiting, being handled, or given up. */
  readonly deliveries: readonly {
    readonly state: Extract<DeliveryRow["state"], "pending" | "claimed" | "dead">;
    readonly count: number;
  }[];
  /** When the oldest waiting one was received, milliseconds since the epoch; null when none waits. */
  readonly oldestDelivery: number | null;
  readonly effects: readonly {
    readonly kind: EffectKind;
    readonly state: "pending" | "leased";
    readonly count: number;
  }[];
  /** When the oldest effect that waits was decided. */
  readonly oldestEffect: number | null;
  readonly agents: readonly { readonly role: string; readonly state: AgentState; readonly count: number }[];
  /** Bytes of the database without its write-ahead log. */
  readonly databaseBytes: number;
}

export interface MeterTable {
  /** Reads indexes only. */
  waiting(): Promise<Waiting>;
}
