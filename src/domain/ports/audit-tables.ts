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
  /** Says that the oldest open call of that name was let go: it may run from now on. */
  letGo(call: { agentId: number; toolCallId: string }): Promise<void>;
  /** Says that the oldest open call of that name waits for a person; `asked` is the hash of what was asked. */
  wait(call: { agentId: number; toolCallId: string; asked: string }): Promise<void>;
  /**
   * Continues the oldest call that waits by that hash, since the agent makes it again: it waits no longer, so that no other
   * call continues it, too. Undefined when none waits.
   */
  again(call: { agentId: number; asked: string; turn: number; at: number }): Promise<ToolCallRow | undefined>;
  /** Ends the oldest open call of that name; undefined when there is none, since the first end counts. */
  end(call: {
    agentId: number;
    toolCallId: string;
    status: "success" | "failure" | "denied";
    output: string;
    at: number;
  }): Promise<ToolCallRow | undefined>;
  /** Ends the calls that wait by that hash as denied; returns the rows as they are then. */
  deny(call: { agentId: number; asked: string; output: string; at: number }): Promise<readonly ToolCallRow[]>;
  /**
   * Ends every open call of one agent, or of all, as cut off, except those that still wait for a person; `neverRan` is
   * the output of a pending one. Returns the rows as they are then.
   */
  interrupt(of: { agentId: number | null; neverRan: string; at: number }): Promise<readonly ToolCallRow[]>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly ToolCallRow[]>;
}

export type NewRunEvent = Omit<RunEventRow, "id" | "runId" | "turn">;

export interface RunEventTable {
  /** Adds rows in order, at least one. `runId` is the agent's latest run. */
  add(...rows: NewRunEvent[]): Promise<void>;
  /** Returns rows with an id above `id`, oldest first; of one agent when given. */
  after(id: number, options: { limit: number; agentId: number | null }): Promise<readonly RunEventRow[]>;
  /** Returns the latest pieces of an agent's model text, at most `limit`, oldest first. */
  said(agentId: number, limit: number): Promise<readonly RunEventRow[]>;
  /** Returns the highest id ever given; 0 when there was none. */
  latest(): Promise<number>;
  /**
   * Deletes pieces of model text that are older than `before`, and all but the latest `keep` of each agent; at most
   * `limit` at once. Returns how many.
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
  /** Returns what was spent, in micro-dollars. */
  spent(repositoryId: number, day: number): Promise<number>;
  /** Returns what these repositories spent together since the beginning of a day, in micro-dollars. */
  spentSince(repositoryIds: readonly number[], day: number): Promise<number>;
  /** Counts agents that went from CREATED to ACTIVE. */
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
   * Adds a decision. One with the rule and reason of the latest decision about the same agent (or none) of the issue is
   * counted there, at most once a minute. Another delivery, and a decision that no longer holds, always gets a row.
   * Resolves with the id of a new row, null for a repeat.
   */
  add(row: Omit<DecisionRow, "id" | "count" | "lastAt">): Promise<number | null>;
  /** Newest first. */
  ofIssue(repositoryId: number, issue: number, limit: number): Promise<readonly DecisionRow[]>;
  /**
   * Returns decisions about other people's commits on the branch of the issue's work: one of each `inputs`, so that
   * each person is included.
   */
  foreignCommits(repositoryId: number, issue: number, limit: number): Promise<readonly DecisionRow[]>;
  /**
   * Returns the newest decision with a `change` that still holds: no later move of the issue's task, nor of its agent,
   * or of any agent where it names none. One of a rule that `lasts` holds until the task ends.
   */
  inForce(repositoryId: number, issue: number): Promise<DecisionRow | undefined>;
}

/** The moves of all machines. */
export type NewTransition = Omit<TransitionRow, "id"> & {
  /** True where a person's act on the page or the command line makes the move, in the same transaction. */
  readonly acted?: boolean;
};

export interface TransitionTable {
  /** Adds rows in order, at least one. */
  add(...rows: NewTransition[]): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly TransitionRow[]>;
  /** Returns the latest moves of the issue's agents and task, at most `limit`, oldest first. */
  ofIssue(repositoryId: number, issue: number, limit: number): Promise<readonly TransitionRow[]>;
  /** Returns the sprint's moves to CHECKPOINT and back, oldest first. */
  ofSprint(sprint: { repositoryId: number; id: number }): Promise<readonly TransitionRow[]>;
  /** Returns agents' moves since then that are failures, possible failures, or questions to a person. Oldest first. */
  failures(since: number): Promise<readonly TransitionRow[]>;
  /** Counts the agents of the issue that have started since then. */
  starts(repositoryId: number, issue: number, since: number): Promise<number>;
  /** Returns rows with an id above `id`, oldest first. */
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
  /** Ignored when the repository already has one with this key. */
  touch(touch: Touch): Promise<void>;
  /**
   * Returns all that happened at `since` or later, in milliseconds since the epoch; null = all work. Each slice has a
   * few whole issues with all of their agents, or nothing, so that the event loop can run between two slices.
   */
  slices(since: number, part: LedgerPart | null): AsyncIterable<LedgerRows>;
}

/** The address of a delivery; both null for one that was ignored before its issue was known. */
interface DeliveryAddress {
  readonly guid: string;
  readonly repositoryId: number | null;
  readonly issue: number | null;
}

/** The inputs of the decision about a delivery. */
export interface ReplayInputRow extends DeliveryAddress {
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number;
  readonly answers: Answers;
  /**
   * The rows of the database as they were, packed for `openReplayInputs`; null for an ignored delivery, and where they
   * were too many.
   */
  readonly known: Uint8Array | null;
}

/**
 * The inputs of each decision: GitHub's answers, and the rows of the database that it rests on. Together with the
 * payload they allow the decision to be repeated. Kept as long as the payload.
 */
export interface ReplayInputTable {
  /**
   * Called first in the transaction that decides; replaces what was kept of an earlier handling of the same delivery.
   */
  begin(place: DeliveryAddress & { readonly at: number; readonly answers: Answers }): Promise<void>;
  /** Called last in the same transaction: what it wrote until here in the name of the delivery is the outcome. */
  end(guid: string): Promise<void>;
  /** Stores GitHub's answers for a delivery that was ignored. */
  ignored(ground: { readonly guid: string; readonly at: number; readonly answers: Answers }): Promise<void>;
  get(guid: string): Promise<ReplayInputRow | undefined>;
  /** Returns delivery ids of the issue, in the order in which they were decided. */
  ofIssue(repositoryId: number, issue: number): Promise<readonly string[]>;
  /** Returns the issues with the latest decisions, the latest first. */
  latestIssues(repositoryId: number, limit: number): Promise<readonly number[]>;
  /** Returns what the transaction of that delivery wrote in its name; undefined where it was not kept. */
  outcome(guid: string): Promise<Outcome | undefined>;
  /** Deletes inputs of decisions before that time, at most `limit`. */
  drop(before: number, limit: number): Promise<void>;
}

/** A walk through one table, from its oldest row on. */
export interface RetentionWalk {
  readonly table: string;
  readonly kind: KeptKind;
}

/** Deletes records of ended work when their retention is over. Rows of an issue with live agents are never deleted. */
export interface RetentionTable {
  readonly walks: readonly RetentionWalk[];
  /**
   * Reads the next `limit` rows after the row `from` and deletes those that are older than `before` (ms since the
   * epoch) and belong to work that ended before then. Resolves with the last row read; null at the first row that is
   * younger, or at the end.
   */
  sweep(
    walk: RetentionWalk,
    options: { readonly from: number; readonly before: number; readonly limit: number },
  ): Promise<{ readonly to: number | null; readonly deleted: number }>;
}

/** How far GitHub's deliveries have been checked. */
export interface SweepTable {
  /** Milliseconds since the epoch; null when there was no sweep yet. */
  last(): Promise<number | null>;
  done(at: number): Promise<void>;
}

/** What waits in the database at this moment. */
export interface Waiting {
  /** Deliveries that are not settled, and those that were given up. */
  readonly deliveries: readonly {
    readonly state: Extract<DeliveryRow["state"], "pending" | "claimed" | "dead">;
    readonly count: number;
  }[];
  /** When the oldest waiting delivery was received, milliseconds since the epoch; null when none waits. */
  readonly oldestDelivery: number | null;
  readonly effects: readonly {
    readonly kind: EffectKind;
    readonly state: "pending" | "leased";
    readonly count: number;
  }[];
  /** When the oldest waiting effect was decided. */
  readonly oldestEffect: number | null;
  readonly agents: readonly { readonly role: string; readonly state: AgentState; readonly count: number }[];
  /** Bytes of the database without its write-ahead log. */
  readonly databaseBytes: number;
}

export interface BacklogTable {
  /** Reads indexes only. */
  waiting(): Promise<Waiting>;
}
