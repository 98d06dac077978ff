import type { IncidentRow } from "../breakers/incident.ts";
import type { LoneOpening, OpeningStep } from "../breakers/lone-opening.ts";
import type { ProgressRow } from "../breakers/progress-memory.ts";
import type { HandoffRow } from "../conversation/handoff.ts";
import type { KeptConversation } from "../conversation/kept-conversation.ts";
import type { IntentRow, WakeRow } from "../kernel/rows.ts";
import type { ApprovalRow, ApprovalVerdict } from "../questions/approval.ts";
import type { QuestionRow } from "../questions/question.ts";
import type { GivenAnswer } from "../questions/question-answer.ts";
import type { ArchiveRow } from "../tasks/archive.ts";
import type { CheckpointRow } from "../tasks/checkpoint.ts";

/** What agents reported, until it is applied or refused. */
export interface IntentTable {
  /** The first report of an exchange counts: undefined when the agent already has a recorded one. */
  add(
    intent: Pick<IntentRow, "agentId" | "token" | "kind" | "payload" | "commit" | "createdAt">,
  ): Promise<IntentRow | undefined>;
  recorded(agentId: number): Promise<IntentRow | undefined>;
  /** Returns the last applied report of done work: a claim of completion or a request for a review. */
  lastReport(agentId: number): Promise<IntentRow | undefined>;
  /** Returns the applied verdict of a reviewer. */
  verdict(agentId: number): Promise<IntentRow | undefined>;
  settle(id: number, state: "applied" | "refused", reason: string | null): Promise<void>;
}

/** Ids of agents by the id of their repository; the repository of the first agent comes first. */
export type IdsByRepository = ReadonlyMap<number, readonly number[]>;

/** Reasons to wake an agent, kept until they are delivered. */
export interface WakeTable {
  /** False when the key exists. `delivery`: the delivery that caused it; null or missing where none did. */
  add(
    wake: Pick<WakeRow, "key" | "agentId" | "reason" | "detail" | "grant" | "dueAt" | "createdAt">,
    delivery?: string | null,
  ): Promise<boolean>;
  /** Returns the pending wakes of one agent, oldest first. */
  pending(agentId: number): Promise<readonly WakeRow[]>;
  /**
   * Returns pending and due wakes of agents that are SLEEPING or ESCALATED and have no unsettled `close_session`,
   * oldest first; of these agents only.
   */
  due(now: number, agentIds: readonly number[]): Promise<readonly WakeRow[]>;
  /** Returns the ids of the agents that have such a wake by repository, in the order of their oldest one. */
  dueAgents(now: number): Promise<IdsByRepository>;
  /**
   * Returns the first agent, in order of id, that is CREATED or sleeps with such a wake, and that nothing holds.
   * `repositoryId` null: in any repository.
   */
  firstToGo(now: number, repositoryId: number | null): Promise<number | undefined>;
  settle(ids: readonly number[], state: "delivered" | "dropped", at: number): Promise<void>;
  /** Returns the last wakes that were delivered to the agent, oldest first. */
  delivered(agentId: number, limit: number): Promise<readonly WakeRow[]>;
}

/** One row for each live agent that has talked. */
export interface ConversationTable {
  get(agentId: number): Promise<KeptConversation | undefined>;
  /** Replaces the row of the same agent. */
  put(row: KeptConversation): Promise<void>;
  drop(agentId: number): Promise<void>;
}

/** One row for each agent whose work was saved, or could not be. */
export interface CheckpointTable {
  get(agentId: number): Promise<CheckpointRow | undefined>;
  /** Replaces the row of the same agent. */
  put(row: CheckpointRow): Promise<void>;
}

/** One row for each ended agent whose worktree was removed. */
export interface ArchiveTable {
  /** Replaces the row of the same agent. */
  put(row: ArchiveRow): Promise<void>;
  /** In order of the agents' ids. */
  ofAgents(agentIds: readonly number[]): Promise<readonly ArchiveRow[]>;
  /** Returns archives that have expired at that time and are not removed yet; the oldest first, at most 50. */
  due(now: number): Promise<readonly ArchiveRow[]>;
  removed(agentId: number, at: number): Promise<void>;
  /** Returns ended agents that still have a worktree and no unsettled effect. In order of id, at most 50. */
  left(): Promise<readonly number[]>;
}

/** A file that the next commit would change. */
export interface PendingFile {
  readonly path: string;
  /** The file's mode in git, null where it is deleted; `before` null where it is new. */
  readonly mode: string | null;
  readonly before: string | null;
  readonly bytes: number;
  /** The target of a symbolic link; null for other files. */
  readonly link: string | null;
}

/** What the next commit and push would add to the server. Commits of the base are not part of it. */
export interface PendingWork {
  /** The tree of that commit; where its files are too large to read, an identifier of their present state. */
  readonly tree: string;
  readonly files: readonly PendingFile[];
  /** All paths of that tree. */
  readonly paths: readonly string[];
  /** Those of them that are symbolic links. */
  readonly links: readonly string[];
  /**
   * All additions, line by line, also in commits that are not pushed and in binary files; empty where the files have
   * more than `limit` bytes.
   */
  readonly patch: string;
  /** Paths that no commit can hold: nested repositories, which end with a slash, and names that git refuses. */
  readonly leftOut: readonly string[];
}

export interface IncidentTable {
  add(incident: Omit<IncidentRow, "id">): Promise<IncidentRow>;
  set(
    id: number,
    fields: Partial<
      Pick<
        IncidentRow,
        "state" | "issue" | "probeAt" | "probeAgentId" | "probeSince" | "failedProbes" | "closedAt"
      >
    >,
  ): Promise<void>;
  /** Returns all incidents, oldest first: there are few. */
  list(): Promise<readonly IncidentRow[]>;
}

/** One row for each agent that has had a turn. */
export interface ProgressTable {
  get(agentId: number): Promise<ProgressRow | undefined>;
  /** Replaces the row of the same agent. */
  put(row: ProgressRow): Promise<void>;
}

export interface HandoffTable {
  add(handoff: Omit<HandoffRow, "id">): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly HandoffRow[]>;
}

/** Steps of openings that began alone and have not ended. */
export interface LoneOpeningTable {
  all(): Promise<readonly LoneOpening[]>;
  /** Counts one more beginning of the step; on disk when it resolves. */
  begin(agentId: number, step: OpeningStep): Promise<void>;
  /** Removes the step's count; harmless when there is none. */
  end(agentId: number, step: OpeningStep): Promise<void>;
}

/** Calls that people were asked about. */
export interface ApprovalTable {
  /** False when people were already asked about the same call in the same period. */
  ask(asked: Omit<ApprovalRow, "id" | "state" | "decidedBy" | "reason" | "decidedAt">): Promise<boolean>;
  get(id: number): Promise<ApprovalRow | undefined>;
  /** Returns the unanswered calls of this period of the agent, oldest first. */
  asked(agentId: number, token: number): Promise<readonly ApprovalRow[]>;
  /** Returns the latest row for this call of the agent, in any period. */
  latest(agentId: number, hash: string): Promise<ApprovalRow | undefined>;
  /** Returns the last answered call of this period. */
  decided(agentId: number, token: number): Promise<ApprovalRow | undefined>;
  /** Returns the plan of the agent that a person approved last. */
  plan(agentId: number): Promise<ApprovalRow | undefined>;
  /** Returns the held commits of the agent that a person has approved, oldest first. */
  held(agentId: number): Promise<readonly ApprovalRow[]>;
  /** Only for an unanswered row; else false. `edited` = what was approved instead of what was asked. */
  decide(
    verdict: Omit<ApprovalVerdict, "plan"> & { readonly onGitHub?: boolean },
    at: number,
    edited?: Pick<ApprovalRow, "input" | "hash">,
  ): Promise<boolean>;
  /** Denies a granted row that is not used yet; false for any other. */
  takeBack(
    id: number,
    as: { readonly by: string; readonly reason: string; readonly at: number },
  ): Promise<boolean>;
  /** Refuses every unanswered row of the agent, of all periods: nobody can answer it any more. */
  close(
    agentId: number,
    as: { readonly by: string; readonly reason: string; readonly at: number },
  ): Promise<void>;
  /** Uses up one granted row of this call; false when there is none. */
  use(agentId: number, hash: string): Promise<boolean>;
}

/** Questions of agents to people. */
export interface QuestionTable {
  add(
    asked: Pick<
      QuestionRow,
      | "agentId"
      | "text"
      | "options"
      | "recommended"
      | "defaultOption"
      | "deadlineAt"
      | "askedOf"
      | "createdAt"
    >,
  ): Promise<QuestionRow>;
  get(id: number): Promise<QuestionRow | undefined>;
  /** Returns the questions of these agents, oldest first. */
  ofAgents(agentIds: readonly number[]): Promise<readonly QuestionRow[]>;
  /**
   * Returns the questions to which an answer still counts, of all agents, oldest first, at most `limit` after the id
   * `after`.
   */
  answerable(after: number, limit: number): Promise<readonly QuestionRow[]>;
  /** Stores the first answer; false when the question is already settled. */
  answer(answer: GivenAnswer, at: number): Promise<boolean>;
  /** Nobody answered in time: the default answer, if any, counts. False when the question is no longer open. */
  timeOut(id: number, at: number): Promise<boolean>;
  /** Withdraws a question that needs no answer any more; a settled one stays as it is. */
  withdraw(id: number): Promise<void>;
  /** Stores the comment that asks the question. */
  written(id: number, commentId: number): Promise<void>;
  /** Returns false when the question is no longer open. */
  askedAgain(
    id: number,
    fields: Pick<QuestionRow, "remindedAt" | "secondAskedAt" | "askedOf">,
  ): Promise<boolean>;
}
