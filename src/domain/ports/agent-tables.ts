import type { IncidentRow } from "../breakers/incident.ts";
import type { LoneOpening, OpeningStep } from "../breakers/lone-opening.ts";
import type { ProgressRow } from "../breakers/progress-memory.ts";
import type { HandoffRow } from "../conversation/handoff.ts";
import type { IntentRow, WakeRow } from "../kernel/rows.ts";
import type { ApprovalRow, ApprovalVerdict } from "../questions/approval.ts";
import type { QuestionRow } from "../questions/question.ts";
import type { GivenAnswer } from "../questions/question-answer.ts";
import type { ArchiveRow } from "../tasks/archive.ts";

/** What agents reported, until it is applied or refused. */
export interface IntentTable {
  /** The first of an exchange wins: undefined when the agent has a recorded one already. */
  add(
    intent: Pick<IntentRow, "agentId" | "token" | "kind" | "payload" | "commit" | "createdAt">,
  ): Promise<IntentRow | undefined>;
  recorded(agentId: number): Promise<IntentRow | undefined>;
  /** Returns the last one that was applied and tells what was done: a claim of completion or a request for a review. */
  lastReport(agentId: number): Promise<IntentRow | undefined>;
  settle(id: number, state: "applied" | "refused", reason: string | null): Promise<void>;
}

/** Reasons to wake an agent, kept until they are delivered. */
export interface WakeTable {
  /** False when the key exists. */
  add(
    wake: Pick<WakeRow, "key" | "agentId" | "reason" | "detail" | "grant" | "dueAt" | "createdAt">,
  ): Promise<boolean>;
  /** Pending ones of one agent, oldest first. */
  pending(agentId: number): Promise<readonly WakeRow[]>;
  /** Pending and due ones of agents SLEEPING or ESCALATED with no `close_session` under way, oldest first; of these agents. */
  due(now: number, agentIds: readonly number[]): Promise<readonly WakeRow[]>;
  /** Returns the agents that have such, in the order in which their oldest came. */
  dueAgents(now: number): Promise<readonly number[]>;
  /**
   * Returns the first agent, in order of id, that is CREATED or sleeps with such a wake, and that nobody holds. Null:
   * anywhere.
   */
  firstToGo(now: number, repositoryId: number | null): Promise<number | undefined>;
  settle(ids: readonly number[], state: "delivered" | "dropped", at: number): Promise<void>;
  /** Returns the last ones that were delivered to the agent, oldest first. */
  delivered(agentId: number, limit: number): Promise<readonly WakeRow[]>;
}

/** One row for each agent that has ended and whose worktree went. */
export interface ArchiveTable {
  /** In place of the one before. */
  put(row: ArchiveRow): Promise<void>;
  /** In order of the agents' ids. */
  ofAgents(agentIds: readonly number[]): Promise<readonly ArchiveRow[]>;
  /** Not removed yet, and expired at that time; the oldest first, at most 50. */
  due(now: number): Promise<readonly ArchiveRow[]>;
  removed(agentId: number, at: number): Promise<void>;
  /** Agents that have ended and still have a worktree, with no effect of theirs under way. In order of id, at most 50. */
  left(): Promise<readonly number[]>;
}

/** A file that the next commit would change. */
export interface PendingFile {
  readonly path: string;
  /** git's mode of it, null where it is deleted; `before` null where it is new. */
  readonly mode: string | null;
  readonly before: string | null;
  readonly bytes: number;
  /** Where a symbolic link leads; null for everything else. */
  readonly link: string | null;
}

/** What the next commit and push would bring to the server that it does not have. What comes from the base is not in it. */
export interface PendingWork {
  /** The tree that it would have; where its files are too much to be read, what stands for them as they are. */
  readonly tree: string;
  readonly files: readonly PendingFile[];
  /** All paths of that tree. */
  readonly paths: readonly string[];
  /** Those of them that are symbolic links. */
  readonly links: readonly string[];
  /** All that is new, line by line, also in commits that are not pushed and in files that are no text; empty where the files are more than `limit` bytes. */
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
  /** Returns all of them, oldest first: there are few. */
  list(): Promise<readonly IncidentRow[]>;
}

/** One row for each agent that has had a turn. */
export interface ProgressTable {
  get(agentId: number): Promise<ProgressRow | undefined>;
  /** In place of the one before. */
  put(row: ProgressRow): Promise<void>;
}

export interface HandoffTable {
  add(handoff: Omit<HandoffRow, "id">): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly HandoffRow[]>;
}

/** Steps of openings that were begun alone and have not ended. */
export interface LoneOpeningTable {
  all(): Promise<readonly LoneOpening[]>;
  /** Counts one more beginning of the step; on disk when it resolves. */
  begin(agentId: number, step: OpeningStep): Promise<void>;
  /** Forgets the step's count; harmless when there is none. */
  end(agentId: number, step: OpeningStep): Promise<void>;
}

/** Calls that people were asked about. */
export interface ApprovalTable {
  /** False when the same call was asked about in the same period already. */
  ask(asked: Omit<ApprovalRow, "id" | "state" | "decidedBy" | "reason" | "decidedAt">): Promise<boolean>;
  get(id: number): Promise<ApprovalRow | undefined>;
  /** Asked in this period of the agent and not answered, oldest first. */
  asked(agentId: number, token: number): Promise<readonly ApprovalRow[]>;
  /** About this call of the agent, in whatever period. */
  latest(agentId: number, hash: string): Promise<ApprovalRow | undefined>;
  /** What was said last of calls of this period. */
  decided(agentId: number, token: number): Promise<ApprovalRow | undefined>;
  /** Returns the agent's plan that a person approved last. */
  plan(agentId: number): Promise<ApprovalRow | undefined>;
  /** Commits of the agent that were held and that a person has approved, oldest first. */
  held(agentId: number): Promise<readonly ApprovalRow[]>;
  /** Only an asked one; false when it was answered before. `edited` = what was approved instead of what was asked. */
  decide(
    verdict: Omit<ApprovalVerdict, "plan">,
    at: number,
    edited?: Pick<ApprovalRow, "input" | "hash">,
  ): Promise<boolean>;
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
  /** Of these agents, oldest first. */
  ofAgents(agentIds: readonly number[]): Promise<readonly QuestionRow[]>;
  /** Those to which an answer still counts, of all agents, oldest first, at most `limit` behind the id `after`. */
  answerable(after: number, limit: number): Promise<readonly QuestionRow[]>;
  /** Returns the first answer; false when the question is settled already. */
  answer(answer: GivenAnswer, at: number): Promise<boolean>;
  /** Nobody answered in time: its default holds where it has one. False when it is not open any more. */
  timeOut(id: number, at: number): Promise<boolean>;
  /** Nobody needs to answer any more; a settled one stays as it is. */
  withdraw(id: number): Promise<void>;
  /** The comment that asks it. */
  written(id: number, commentId: number): Promise<void>;
  /** Returns false when it is not open any more. */
  askedAgain(
    id: number,
    fields: Pick<QuestionRow, "remindedAt" | "secondAskedAt" | "askedOf">,
  ): Promise<boolean>;
}
