import type { AgentFilter } from "../agents/agent-filter.ts";
import type { AgentRecord, LIVE_AGENT_STATES } from "../agents/agent-record.ts";
import type { RunRecord } from "../agents/run.ts";
import type { Hold } from "../breakers/hold.ts";
import type { DecisionRow, DeliveryRow, EffectRow, ToolCallRow, TransitionRow } from "../kernel/rows.ts";
import type { ApprovalRow } from "../questions/approval.ts";
import type { QuestionRow } from "../questions/question.ts";
import type { WaitedMerge } from "../status/waits-for.ts";
import type { TaskRecord } from "../tasks/task-record.ts";

/** A page of a list: at most `limit` rows behind the position `after`; from the beginning with null. */
export interface PageOf {
  readonly after: Position | null;
  readonly limit: number;
}

/** The sort key of a row. A page begins behind it, so rows that are added or removed meanwhile shift nothing. */
export type Position = readonly number[];

/** A row of a list, and its position in it. */
export interface Listed<Row> {
  readonly row: Row;
  readonly position: Position;
}

/** A page of what is looked for among many: fewer rows than asked for may come while there are more behind `next`. */
export interface Looked<Row> {
  readonly rows: readonly Listed<Row>[];
  /** Where the next page begins; null when all has been looked at. */
  readonly next: Position | null;
}

/** Ids of the repositories whose rows are wanted; null for all. */
export type OfRepositories = readonly number[] | null;

/** How many rows of a repository are in a state. */
export interface StateCount<State extends string> {
  readonly repositoryId: number;
  readonly state: State;
  readonly count: number;
}

/** An agent beside the state of its latest run. */
export interface AgentWithPhase {
  readonly agent: AgentRecord;
  readonly phase: RunRecord["state"] | null;
}

/** A task beside the names that it is shown with. */
export interface TaskWithNames {
  readonly task: TaskRecord;
  readonly agent: string | null;
  /** The pull request of that agent. */
  readonly pull: number | null;
  /** Whether a reviewer is at work, or about to be. */
  readonly isReviewed: boolean;
  /** Whether a coder of its issue lives. */
  readonly hasCoder: boolean;
  /** Of the coder that holds it, or held it last. */
  readonly coderState: AgentRecord["state"] | null;
  readonly sprint: string | null;
  /** Who works on it or is about to, or waits; reviewers too. */
  readonly live: LiveAgent | null;
}

interface LiveAgent {
  readonly name: string;
  readonly state: (typeof LIVE_AGENT_STATES)[number];
  readonly phase: RunRecord["state"] | null;
  /** Of one that waits for a set time to start: that time, ms since the epoch. */
  readonly startsAt: number | null;
  /** Of another one that has not started: how many are before it in the queue, itself counted. */
  readonly place: number | null;
  /** Of both: why it has not started yet. */
  readonly why: string | null;
}

/** An agent that waits for a person, or work that does while no agent says so; `since` = ms since the epoch. */
export type WaitsForPerson =
  | { readonly agent: AgentRecord }
  | {
      readonly task: TaskRecord;
      readonly pull: number | null;
      /** The name of the coder that held it last; null where a coder of its issue lives. */
      readonly endedCoder: string | null;
      readonly since: number;
    };

/** An effect beside the name of its agent. */
export interface EffectWithAgent {
  readonly effect: EffectRow;
  readonly agent: string | null;
}

/** What is shown of an agent beside its own row. */
export interface AroundAgent {
  readonly run: RunRecord | null;
  /** When that run came to its state; null where it has not moved. */
  readonly phaseSince: number | null;
  /** Of the latest task of its issue. */
  readonly title: string | null;
  /** The last `WAIT` of the agent's machine. */
  readonly slept: TransitionRow | null;
  /** The latest of those that run. */
  readonly call: ToolCallRow | null;
  /** Those that still take an answer. */
  readonly questions: readonly QuestionRow[];
  /** Asked in its present period, and not answered. */
  readonly approvals: readonly ApprovalRow[];
  /** Whether a reviewer of its issue is at work, or about to be. */
  readonly isReviewed: boolean;
  /** Whether a person's request for changes of its newest commit keeps it from being taken as complete. */
  readonly isRejected: boolean;
  /** Where the latest task of its issue stands. */
  readonly task: TaskRecord["state"] | null;
  /** Name of the agent for whose work it was made. */
  readonly parent: string | null;
  /** What holds it while it is not at work. */
  readonly holds: readonly Hold[];
  /** What it waits for is done but for a merge. */
  readonly merges: readonly WaitedMerge[];
  /** The latest decision by which it was not started or woken, while no later move ended that. */
  readonly heldUp: DecisionRow | null;
  /** Whether its role has made a later attempt on its issue. */
  readonly hasSuccessor: boolean;
}

/** Lists for people and programs: each call reads a bounded number of rows, in a fixed number of statements. */
export interface ListTable {
  /**
   * Agents in the order in which they were made; those of `states` by these in turn, and within one by how long they
   * have been in it, the longest first.
   */
  agents(
    where: { readonly states: readonly AgentRecord["state"][] | null; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<AgentWithPhase>[]>;
  /**
   * Those that a filter lets through, in the order in which they were made; those of a state alone by how long they have
   * been in it, the longest first. A page looks at a bounded number of agents.
   */
  agentsLike(
    wanted: { readonly filter: AgentFilter; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<Looked<AgentWithPhase>>;
  /** All that waits for a person: agents, then work that no agent is at; the oldest of each first. */
  waiting(repositories: OfRepositories, page: PageOf): Promise<readonly Listed<WaitsForPerson>[]>;
  /** Returns the latest work of an issue, where it waits for a person and no agent says so. */
  waitingWork(
    repositoryId: number,
    issue: number,
  ): Promise<Extract<WaitsForPerson, { readonly task: unknown }> | undefined>;
  /** By agent; of ids that are those of one page. */
  around(agents: readonly AgentRecord[]): Promise<ReadonlyMap<number, AroundAgent>>;
  /** What holds each of them, as far as the database knows; by agent, those that nothing holds too. */
  holds(agents: readonly AgentRecord[]): Promise<ReadonlyMap<number, readonly Hold[]>>;
  /** Returns the agent of this name, in whatever case it is written. */
  agentNamed(repositoryId: number, name: string): Promise<AgentRecord | undefined>;
  /** Tasks in the order in which they were made, or the latest first. */
  tasks(
    where: {
      readonly state: TaskRecord["state"] | null;
      readonly repositories: OfRepositories;
      readonly latestFirst?: boolean;
    },
    page: PageOf,
  ): Promise<readonly Listed<TaskWithNames>[]>;
  /** Returns all of these issues; they are those of one goal. */
  tasksOfIssues(repositoryId: number, issues: readonly number[]): Promise<readonly TaskWithNames[]>;
  /**
   * Of a repository, or of some issues there: the agents that lived at that time (ms since the epoch) or later, the
   * latest first, at most `limit`.
   */
  lived(
    of: { readonly repositoryId: number; readonly issues: readonly number[] | null },
    since: number,
    limit: number,
  ): Promise<readonly AgentRecord[]>;
  /** When agents failed or were cancelled there, from that time on. */
  gaveUp(
    of: { readonly repositoryId: number; readonly issues: readonly number[] | null },
    since: number,
  ): Promise<readonly number[]>;
  /** Agents that ended from that time on, the latest first. */
  ended(repositories: OfRepositories, since: number, page: PageOf): Promise<readonly Listed<AgentRecord>[]>;
  /** The moves of the agents' own machine, the oldest first. */
  agentMoves(
    agentIds: readonly number[],
  ): Promise<readonly { readonly agentId: number; readonly at: number; readonly to: string }[]>;
  /** Returns the latest first. */
  effects(
    where: { readonly states: readonly EffectRow["state"][]; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<EffectWithAgent>[]>;
  /** Those about the agent, the latest first. */
  effectsOfAgent(agentId: number, page: PageOf): Promise<readonly Listed<EffectWithAgent>[]>;
  /** In the order in which they happened, an agent's also the latest first. */
  transitions(
    where:
      | { readonly agentId: number; readonly latestFirst?: boolean }
      | { readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<TransitionRow>[]>;
  /** About an issue, the latest first; with an agent those that are about it or about none. */
  decisions(
    where: { readonly repositoryId: number; readonly issue: number; readonly agentId?: number },
    page: PageOf,
  ): Promise<readonly Listed<DecisionRow>[]>;
  /** Returns the latest first, without payloads. */
  deliveries(
    where: { readonly state: DeliveryRow["state"] | null; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<DeliveryRow>[]>;
  /** Of the repositories that have any; kept up to date as rows come and go. */
  agentCounts(): Promise<readonly StateCount<AgentRecord["state"]>[]>;
  taskCounts(): Promise<readonly StateCount<TaskRecord["state"]>[]>;
  /** How many things of each repository wait for a person; `merges` of them for a merge, which may come by itself. */
  waitingCounts(): Promise<
    readonly { readonly repositoryId: number; readonly count: number; readonly merges: number }[]
  >;
  /** What the work of each repository cost, in millionths of a US dollar, from that day (since the epoch, UTC) on. */
  costs(
    fromDay: number,
  ): Promise<readonly { readonly repositoryId: number; readonly costMicroUsd: number }[]>;
}
