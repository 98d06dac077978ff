import type { AttributeChange } from "../agents/agent-attributes.ts";
import type { AgentEvent } from "../agents/agent-event.ts";
import type { AgentRecord, Grant, WakeReason } from "../agents/agent-record.ts";
import type { RunEvent } from "../agents/run.ts";
import type { SessionEvent } from "../agents/session.ts";
import type { IssueRef } from "../blockers/blockers.ts";
import type { DayGrant, DayLimit } from "../breakers/day-budget.ts";
import type { Hold } from "../breakers/hold.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import type { GoalEvent } from "../planning/goal.ts";
import type { Plan } from "../planning/plan.ts";
import type { SprintEvent } from "../planning/sprint.ts";
import type { ApprovalRow, ApprovalVerdict } from "../questions/approval.ts";
import type { QuestionRow } from "../questions/question.ts";
import type { GivenAnswer } from "../questions/question-answer.ts";
import type { ReviewLeaseEvent } from "../review/review-lease.ts";
import type { Reviewer } from "../review/reviewer.ts";
import type { Settings } from "../settings/settings.ts";
import type { TaskEvent } from "../tasks/task-event.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { Effect } from "./effect.ts";
import type { DecisionRow } from "./rows.ts";

/** What a decision about one issue can see. */
export interface IssueState {
  readonly settings: Settings;
  readonly repositoryId: number;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly issue: number;
  /** All agents of the issue, in order of id. */
  readonly agents: readonly AgentRecord[];
  /** Agents of other issues, in any repository, that sleep for this one. */
  readonly waiting: readonly AgentRecord[];
  /** Issues that this one blocks, or blocked when last read, and whose agents wait to start or sleep for others too. */
  readonly held: readonly { readonly repositoryId: number; readonly issue: number }[];
  /** The issue's task that is not terminal. */
  readonly task: TaskRecord | null;
  /** The issue's newest task, which may have ended. */
  readonly newestTask: TaskRecord | null;
  /** The latest decisions about the issue, newest first. */
  readonly decisions: readonly DecisionRow[];
  /** Ids of the accounts that pushed to the branch of the issue's work. */
  readonly pushers: readonly number[];
  /** People whose request for changes of the commit under review still counts. */
  readonly rejectedBy: readonly Reviewer[];
  /** Limits of the repository's day that are reached now. */
  readonly daySpent: readonly DayLimit[];
  /** Calls of the issue's agents that wait for a person. */
  readonly asked: readonly ApprovalRow[];
  /** Questions of the issue's live agents to people, oldest first. */
  readonly questions: readonly QuestionRow[];
  readonly plan: Plan;
  /** The state of the issue's agents, work and goal or sprint, in lines; read for `/flotilla why` only, else empty. */
  readonly status: readonly string[];
  /** What holds every agent of the issue, besides the holders of single agents. */
  readonly around: readonly Hold[];
}

/** One event for one machine; `id` null creates a new record. */
export type Move =
  | { readonly machine: "agent"; readonly id: number | null; readonly event: AgentEvent }
  | { readonly machine: "task"; readonly id: number | null; readonly event: TaskEvent }
  | { readonly machine: "run"; readonly id: number; readonly event: RunEvent }
  | { readonly machine: "session"; readonly id: number; readonly event: SessionEvent }
  /** `id` null with a CLAIM: the lease of the task that it names. */
  | { readonly machine: "review_lease"; readonly id: number | null; readonly event: ReviewLeaseEvent }
  | { readonly machine: "sprint"; readonly id: number | null; readonly event: SprintEvent }
  | { readonly machine: "goal"; readonly id: number | null; readonly event: GoalEvent };

export type MoveOf<M extends Move["machine"]> = Extract<Move, { machine: M }>;

export interface NewWake {
  /** Unique; the same cause wakes once. */
  readonly key: string;
  readonly agentId: number;
  readonly reason: WakeReason;
  readonly detail: string;
  readonly grant: Grant | null;
  /** The issue that blocked the agent; the wake reports what an agent of ours left on it. */
  readonly blocker?: IssueRef;
  readonly dueAt: number;
}

/** Attributes that a person sets on an agent, or removes. */
export interface NewAttributes {
  readonly agentId: number;
  readonly change: AttributeChange;
}

/** Why something was done, or was not; `change` says what would change it. */
export interface NewDecision {
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly change: string | null;
  readonly agentId: number | null;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What follows from an event: always at least one of these, so that each event leaves a record. */
export interface ChangeSet {
  readonly moves: readonly Move[];
  readonly wakes: readonly NewWake[];
  readonly decisions: readonly NewDecision[];
  /** Effects in the lane of the issue. */
  readonly effects: readonly Effect[];
  /** Grants for the repository's day. */
  readonly dayGrants: readonly DayGrant[];
  /** A person's answers about calls that wait. */
  readonly approvals: readonly ApprovalVerdict[];
  /** Answers to questions. The first answer to a question counts; the agent that asked also reads the others. */
  readonly answers: readonly GivenAnswer[];
  /** Agents in `error` that a person wants retried at once, whatever they wait for. */
  readonly tryNow: readonly number[];
  readonly attributes: readonly NewAttributes[];
}

export const NO_CHANGES: ChangeSet = {
  moves: [],
  wakes: [],
  decisions: [],
  effects: [],
  dayGrants: [],
  approvals: [],
  answers: [],
  tryNow: [],
  attributes: [],
};

export function mergeChanges(...parts: readonly ChangeSet[]): ChangeSet {
  return {
    moves: parts.flatMap((part) => part.moves),
    wakes: parts.flatMap((part) => part.wakes),
    decisions: parts.flatMap((part) => part.decisions),
    effects: parts.flatMap((part) => part.effects),
    dayGrants: parts.flatMap((part) => part.dayGrants),
    approvals: parts.flatMap((part) => part.approvals),
    answers: parts.flatMap((part) => part.answers),
    tryNow: parts.flatMap((part) => part.tryNow),
    attributes: parts.flatMap((part) => part.attributes),
  };
}

/** Returns a recorded non-action; with `shown`, the status comment shows it too. */
export function decisionOnly(
  rule: DecisionRule,
  reason: string,
  options: {
    change?: string;
    agentId?: number;
    inputs?: Readonly<Record<string, unknown>>;
    shown?: boolean;
  } = {},
): ChangeSet {
  return {
    ...NO_CHANGES,
    decisions: [
      {
        rule,
        reason,
        change: options.change ?? null,
        agentId: options.agentId ?? null,
        inputs: options.inputs ?? {},
      },
    ],
    effects: options.shown === true ? [{ kind: "status_comment" }] : [],
  };
}
