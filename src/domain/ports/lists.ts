import type { AgentFilter } from "../agents/agent-filter.ts";
import type { AgentRecord, LIVE_AGENT_STATES } from "../agents/agent-record.ts";
import type { AgentSearch } from "../agents/agent-search.ts";
import type { RunRecord } from "../agents/run.ts";
import type { Hold } from "../breakers/hold.ts";
import type { DecisionRow, DeliveryRow, EffectRow, ToolCallRow, TransitionRow } from "../kernel/rows.ts";
import type { ApprovalRow } from "../questions/approval.ts";
import type { QuestionRow } from "../questions/question.ts";
import type { PersonsAct, PersonsActKind } from "../reporting/persons-act.ts";
import type { WaitedMerge } from "../status/waits-for.ts";
import type { TaskRecord } from "../tasks/task-record.ts";

/** A page of a list: at most `limit` rows after the position `after`; null = from the beginning. */
export interface PageOf {
  readonly after: Position | null;
  readonly limit: number;
}

/** The sort key of a row. A page begins after it, so rows that are added or removed meanwhile shift nothing. */
export type Position = readonly number[];

/** A row of a list, and its position in it. */
export interface Listed<Row> {
  readonly row: Row;
  readonly position: Position;
}

/** A page of a search: it may have fewer rows than asked for while there are more after `next`. */
export interface SearchPage<Row> {
  readonly rows: readonly Listed<Row>[];
  /** Where the next page begins; null at the end of the search. */
  readonly next: Position | null;
}

/** Ids of the repositories whose rows are wanted; null for all. */
export type OfRepositories = readonly number[] | null;

export interface WantedActs {
  /** Null for acts of every kind. */
  readonly kind: PersonsActKind | null;
  /** A login, in any case of letters, or `operator:<account>`; null for acts of everybody. */
  readonly by: string | null;
  readonly repositories: OfRepositories;
}

/** How many rows of a repository are in a state. */
export interface StateCount<State extends string> {
  readonly repositoryId: number;
  readonly state: State;
  readonly count: number;
}

/** An agent with the state of its latest run. */
export interface AgentWithPhase {
  readonly agent: AgentRecord;
  readonly phase: RunRecord["state"] | null;
}

/** A task with the names that it is shown with. */
export interface TaskWithNames {
  readonly task: TaskRecord;
  readonly agent: string | null;
  /** The pull request of that agent. */
  readonly pull: number | null;
  /** Whether a reviewer is at work, or about to be. */
  readonly isReviewed: boolean;
  /** Whether a coder of the issue lives. */
  readonly hasCoder: boolean;
  /** The state of the task's present or last coder. */
  readonly coderState: AgentRecord["state"] | null;
  readonly sprint: string | null;
  /** The agent that works on the task, is about to, or waits; reviewers included. */
  readonly live: LiveAgent | null;
}

interface LiveAgent {
  readonly name: string;
  readonly state: (typeof LIVE_AGENT_STATES)[number];
  readonly phase: RunRecord["state"] | null;
  /** The set time of the start, ms since the epoch; null for an agent without one. */
  readonly startsAt: number | null;
  /** The position in the queue, counted from 1, of an agent that has not started and has no set time. */
  readonly place: number | null;
  /** Why the agent has not started yet. */
  readonly why: string | null;
}

/** An agent that waits for a person, or work that does while no agent reports it; `since` = ms since the epoch. */
export type WaitsForPerson =
  | { readonly agent: AgentRecord }
  | {
      readonly task: TaskRecord;
      readonly pull: number | null;
      /** The name of the work's last coder; null where a coder of its issue lives. */
      readonly endedCoder: string | null;
      readonly since: number;
    };

/** An effect with the name of its agent. */
export interface EffectWithAgent {
  readonly effect: EffectRow;
  readonly agent: string | null;
}

/** What is shown of an agent besides its own row. */
export interface AroundAgent {
  readonly run: RunRecord | null;
  /** When that run entered its state; null where it has not moved. */
  readonly phaseSince: number | null;
  /** The title of the latest task of the issue. */
  readonly title: string | null;
  /** The last `WAIT` of the agent's machine. */
  readonly slept: TransitionRow | null;
  /** The latest call that is pending or runs. */
  readonly call: ToolCallRow | null;
  /** Questions that still accept an answer. */
  readonly questions: readonly QuestionRow[];
  /** Unanswered calls of the present period. */
  readonly approvals: readonly ApprovalRow[];
  /** Calls of the present period about which a person has answered. */
  readonly answered: readonly ApprovalRow[];
  /** Whether a reviewer of the issue is at work, or about to be. */
  readonly isReviewed: boolean;
  /** Whether a person's request for changes of the newest commit keeps it from being accepted as complete. */
  readonly isRejected: boolean;
  /** The state of the latest task of the issue. */
  readonly task: TaskRecord["state"] | null;
  /** The risk for which a person merges its commit under review. */
  readonly riskAbove: TaskRecord["riskAbove"];
  /** The model with which its conversation was created; null before that was opened. */
  readonly sessionModel: string | null;
  /** The version of the runtime that opened it last; null where nobody knows it. */
  readonly runtimeVersion: string | null;
  /** Name of the agent for whose work this one was created. */
  readonly parent: string | null;
  /** What holds the agent while it is not at work. */
  readonly holds: readonly Hold[];
  /** Merges that are all the agent still waits for. */
  readonly merges: readonly WaitedMerge[];
  /** The latest decision by which the agent was not started or woken, unless a later move ended that. */
  readonly heldUp: DecisionRow | null;
  /** Whether the role has made a later attempt on the issue. */
  readonly hasSuccessor: boolean;
}

/** Lists for people and programs: each call reads a bounded number of rows, in a fixed number of statements. */
export interface ListTable {
  /**
   * Returns agents in the order of their creation; with `states`, grouped by these in the given order, and within a
   * state by how long they have been in it, the longest first.
   */
  agents(
    where: { readonly states: readonly AgentRecord["state"][] | null; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<AgentWithPhase>[]>;
  /**
   * Returns agents that match a filter, in the order of their creation; with a state alone, by how long they have been
   * in it, the longest first. A page reads a bounded number of agents.
   */
  agentsLike(
    wanted: { readonly filter: AgentFilter; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<SearchPage<AgentWithPhase>>;
  /**
   * Returns agents that match what a person searches for. A page reads a bounded number of agents; by cost it sorts only
   * the latest 2,000 of those in the wanted states, or of all where these include ended ones.
   */
  searchedAgents(
    wanted: { readonly search: AgentSearch; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<SearchPage<AgentRecord>>;
  /** Returns all that waits for a person: agents, then work without an agent; the oldest of each first. */
  waiting(repositories: OfRepositories, page: PageOf): Promise<readonly Listed<WaitsForPerson>[]>;
  /** Returns the latest work of an issue, where it waits for a person and no agent reports it. */
  waitingWork(
    repositoryId: number,
    issue: number,
  ): Promise<Extract<WaitsForPerson, { readonly task: unknown }> | undefined>;
  /** Returns the facts by agent; for the ids of one page. */
  around(agents: readonly AgentRecord[]): Promise<ReadonlyMap<number, AroundAgent>>;
  /** Returns what holds each agent, as far as the database knows; agents without a hold included. */
  holds(agents: readonly AgentRecord[]): Promise<ReadonlyMap<number, readonly Hold[]>>;
  /** Returns the agent of this name; case does not matter. */
  agentNamed(repositoryId: number, name: string): Promise<AgentRecord | undefined>;
  /** Returns tasks in the order of their creation, or the latest first. */
  tasks(
    where: {
      readonly state: TaskRecord["state"] | null;
      readonly repositories: OfRepositories;
      readonly latestFirst?: boolean;
    },
    page: PageOf,
  ): Promise<readonly Listed<TaskWithNames>[]>;
  /** Returns the tasks of these issues, all of one goal. */
  tasksOfIssues(repositoryId: number, issues: readonly number[]): Promise<readonly TaskWithNames[]>;
  /**
   * Returns the agents of a repository, or of some issues there, that lived at that time (ms since the epoch) or later,
   * the latest first, at most `limit`.
   */
  lived(
    of: { readonly repositoryId: number; readonly issues: readonly number[] | null },
    since: number,
    limit: number,
  ): Promise<readonly AgentRecord[]>;
  /** Returns when agents failed or were cancelled there, from that time on. */
  gaveUp(
    of: { readonly repositoryId: number; readonly issues: readonly number[] | null },
    since: number,
  ): Promise<readonly number[]>;
  /** Returns agents that ended from that time on, the latest first. */
  ended(repositories: OfRepositories, since: number, page: PageOf): Promise<readonly Listed<AgentRecord>[]>;
  /** Returns the moves of the agents' own machine, the oldest first. */
  agentMoves(
    agentIds: readonly number[],
  ): Promise<readonly { readonly agentId: number; readonly at: number; readonly to: string }[]>;
  /** Returns effects, the latest first; only notices, or all but these, where `notices` says so. */
  effects(
    where: {
      readonly states: readonly EffectRow["state"][];
      readonly repositories: OfRepositories;
      readonly notices?: boolean;
    },
    page: PageOf,
  ): Promise<readonly Listed<EffectWithAgent>[]>;
  /** Returns the last time of each of these schedules, by their lanes. */
  lastScheduled(lanes: readonly string[]): Promise<readonly EffectRow[]>;
  /** Returns the effects about the agent, the latest first. */
  effectsOfAgent(agentId: number, page: PageOf): Promise<readonly Listed<EffectWithAgent>[]>;
  /** Returns what people did, the latest first. */
  personsActs(wanted: WantedActs, page: PageOf): Promise<readonly Listed<PersonsAct>[]>;
  /** Returns moves in their order; those of one agent also the latest first. */
  transitions(
    where:
      | { readonly agentId: number; readonly latestFirst?: boolean }
      | { readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<TransitionRow>[]>;
  /** Returns decisions about an issue, the latest first; with an agent, those about it or about no agent. */
  decisions(
    where: { readonly repositoryId: number; readonly issue: number; readonly agentId?: number },
    page: PageOf,
  ): Promise<readonly Listed<DecisionRow>[]>;
  /** Returns deliveries without payloads, the latest first. */
  deliveries(
    where: { readonly state: DeliveryRow["state"] | null; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<DeliveryRow>[]>;
  /** Returns counts for the repositories that have agents; kept up to date as rows come and go. */
  agentCounts(): Promise<readonly StateCount<AgentRecord["state"]>[]>;
  taskCounts(): Promise<readonly StateCount<TaskRecord["state"]>[]>;
  /**
   * Returns how many things of each repository wait for a person; `merges` of them for a merge, which may come by
   * itself.
   */
  waitingCounts(): Promise<
    readonly { readonly repositoryId: number; readonly count: number; readonly merges: number }[]
  >;
  /**
   * Returns what the work of each repository cost, in millionths of a US dollar, from that day (since the epoch, UTC)
   * on.
   */
  costs(
    fromDay: number,
  ): Promise<readonly { readonly repositoryId: number; readonly costMicroUsd: number }[]>;
}
