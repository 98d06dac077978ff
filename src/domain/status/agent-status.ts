import { type AgentRecord, isOnPull } from "../agents/agent-record.ts";
import { isInError } from "../agents/own-wake.ts";
import type { RunRecord, RunState } from "../agents/run.ts";
import { type Hold, holdEnds, holdText, isResumable } from "../breakers/hold.ts";
import { mustBeGranted, unitOf } from "../commands/extension.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import { type RunningCommand, runningCommandText } from "../evidence/running-command.ts";
import { decisionText } from "../kernel/decision-text.ts";
import type { DecisionRow, TransitionRow } from "../kernel/rows.ts";
import type { RiskAbove } from "../merge-queue/risk-above.ts";
import { moment } from "../messages/format.ts";
import { acceptWorkText } from "../tasks/accept-work-text.ts";
import { DEADLOCK, OUT_OF_DEADLOCK, REPLANNING } from "../tasks/escalation.ts";
import { adviceIfGone } from "../tasks/issue-gone.ts";
import { attemptAgain, type Merging, nextOfWork, workStands } from "../tasks/next-of-work.ts";
import type { TaskState } from "../tasks/task-record.ts";
import { type Answered, answeredText, blockersEnd, type WaitedMerge, waitsFor } from "./waits-for.ts";

/** The facts that describe an agent's state. */
export interface AgentStatusFacts {
  readonly run: Pick<RunRecord, "state"> | null;
  /** The move by which the agent last fell asleep; null when it never did. */
  readonly slept: TransitionRow | null;
  /** The command that Flotilla runs for the agent at this moment; only the serving process knows it. */
  readonly command?: RunningCommand | undefined;
  /** What holds the agent while it is not at work. */
  readonly holds: readonly Hold[];
  /** Unanswered calls of the present period, and those about which a person has answered. */
  readonly approvals: readonly unknown[];
  readonly answered: readonly Answered[];
  /** Merges that are all the agent still waits for. */
  readonly merges: readonly WaitedMerge[];
  /** The latest decision by which the agent was not started or woken, while it holds. */
  readonly heldUp: Pick<DecisionRow, "rule" | "reason" | "change" | "lastAt"> | null;
  /** The state of the latest task of the issue. */
  readonly task: TaskState | null;
  /** Why that task is ABANDONED. */
  readonly abandonedReason?: string | null;
  /** Whether a reviewer of the issue is at work, or about to be. */
  readonly isReviewed: boolean;
  /** Whether a person's request for changes of the newest commit keeps it from being accepted as complete. */
  readonly isRejected: boolean;
  /** Whether the role has made a later attempt on the issue. */
  readonly hasSuccessor: boolean;
  /** Where Flotilla merges by itself. */
  readonly merging?: Merging | null;
  /** The risk for which a person merges its work all the same. */
  readonly riskAbove?: RiskAbove | null;
}

/** What an agent does, waits for or achieved, and what a person can do about it: the same words everywhere. */
export interface AgentStatus {
  readonly now: string;
  readonly next: string;
}

/** Decisions by which an agent that may continue is neither started nor woken. */
export const HOLDING_UP: readonly DecisionRule[] = [
  "held",
  "slot",
  "room",
  "budget",
  "provider",
  "storm",
  "open_blocker",
  "blockers_unread",
  "task",
];

export function agentStatus(agent: AgentRecord, given: AgentStatusFacts): AgentStatus {
  const facts = withHold(given);
  switch (agent.state) {
    case "CREATED":
      return startsLater(agent, facts);
    case "ACTIVE":
      return {
        now: atWork(facts),
        next: "it continues automatically; `/flotilla pause` holds it, `/flotilla cancel` ends it",
      };
    case "SLEEPING":
      return asleep(agent, facts);
    case "ESCALATED":
      return escalated(agent, facts);
    case "COMPLETED":
      return { now: agent.reason ?? "its work is done", next: afterEnd(agent, facts) };
    case "FAILED":
    case "CANCELLED":
      return { now: agent.reason ?? "it gave no reason", next: afterEnd(agent, facts) };
  }
}

function atWork({ run, command }: AgentStatusFacts): string {
  if (command !== undefined) return runningCommandText(command);
  return run === null ? "starts" : PHASE_WORDS[run.state];
}

function startsLater({ dueAt, reason }: AgentRecord, facts: AgentStatusFacts): AgentStatus {
  const why = reason === null ? "" : ` (${reason})`;
  const now = `waits to start${dueAt === null ? "" : `, not before ${moment(dueAt)}: the attempt before it failed${why}`}`;
  const next = "it starts automatically; `/flotilla cancel` ends it";
  return held(now, facts.holds) ?? heldUp(now, facts) ?? { now, next };
}

/** Adds a hold that the database does not know, from the decision by which the agent was not woken. */
function withHold(facts: AgentStatusFacts): AgentStatusFacts {
  const { holds, heldUp: decision } = facts;
  if (holds.length > 0 || decision?.rule !== "held") return facts;
  const { why, next } = decisionText(decision);
  return { ...facts, holds: [{ by: "pause", what: why, ends: next }] };
}

/** Returns what holds the agent and what ends that. */
function held(waits: string, holds: readonly Hold[]): AgentStatus | null {
  if (holds.length === 0) return null;
  return { now: heldWords(waits, holdText(holds)), next: holdEnds(holds) };
}

/** Says once that it is paused, where what holds it says so as well. */
function heldWords(waits: string, why: string): string {
  const isSaid = why.startsWith(PAUSED);
  if (waits === PAUSED) return isSaid ? why : `${PAUSED}, because ${why}`;
  return isSaid ? `${waits} (${why})` : `${waits} (held: ${why})`;
}

const PAUSED = "paused";

/** Returns the decision that held the agent up; what it waited for may be over by then. */
function heldUp(waits: string, { heldUp: decision }: AgentStatusFacts): AgentStatus | null {
  if (decision === null) return null;
  const { what, why, next } = decisionText(decision);
  return { now: `${waits} (${what}: ${why})`, next };
}

function asleep(agent: AgentRecord, facts: AgentStatusFacts): AgentStatus {
  const { holds, slept } = facts;
  if (agent.sleepReason === "paused")
    return held(PAUSED, holds) ?? heldUp("waits to continue", facts) ?? unpaused(agent);
  const waits = isAnswered(agent, facts)
    ? `${answeredText(facts.answered)}, and it waits to continue`
    : agent.sleepReason === "review"
      ? workStands(facts.task, agent.prNumber)
      : waitsFor(agent, slept, facts.merges);
  const own = nextAsleep(agent, facts);
  const isHeld = held(waits, holds);
  if (isHeld === null)
    return (
      (isDue(agent, facts) ? heldUp("was woken and waits to continue", facts) : null) ?? {
        now: waits,
        next: own,
      }
    );
  // A person's retry ignores an incident, and removes what a resume removes.
  const isTriedAtOnce =
    isInError(agent) && holds.every((hold) => isResumable(hold) || hold.by === "incident");
  return {
    ...isHeld,
    next: isTriedAtOnce ? `${isHeld.next}; \`/flotilla retry\` tries at once` : isHeld.next,
  };
}

/** Returns whether a person has answered about each call, or the plan, for which the agent sleeps. */
function isAnswered(
  { sleepReason, breaker }: AgentRecord,
  { approvals, answered }: AgentStatusFacts,
): boolean {
  return sleepReason === "approval" && breaker === null && approvals.length === 0 && answered.length > 0;
}

/** Returns whether the agent's due time had come when it was not woken. */
function isDue({ dueAt }: AgentRecord, { heldUp: decision }: AgentStatusFacts): boolean {
  return dueAt === null || (decision !== null && decision.lastAt >= dueAt);
}

/** Describes an agent whose pause is over. */
const unpaused = ({ reason }: AgentRecord): AgentStatus => ({
  now: reason === null ? PAUSED : reason.startsWith(PAUSED) ? reason : `${PAUSED}: ${reason}`,
  next: "it continues automatically",
});

/** Returns what ends the agent's sleep. */
function nextAsleep(agent: AgentRecord, facts: AgentStatusFacts): string {
  const { task, isReviewed, isRejected, merging, merges, riskAbove } = facts;
  switch (agent.sleepReason) {
    case "review":
      return nextOfWork(task ?? "READY_FOR_REVIEW", {
        pull: agent.prNumber,
        isReviewed,
        merging,
        riskAbove,
      });
    case "question":
      return "answer its comment, or say `/flotilla answer <text>`";
    case "approval":
      if (isAnswered(agent, facts)) return "it continues automatically";
      return agent.breaker === null
        ? "say `/flotilla approve`, or `/flotilla deny <reason>`"
        : `\`/flotilla continue [n]\` gives it n more turns, ${acceptWorkText(agent.prNumber, isRejected)}`;
    case "retry":
    case "provider_limit":
      return "it retries automatically; `/flotilla retry` tries at once";
    case "blocked":
      return `it wakes when ${blockersEnd(agent, merges)}; \`/flotilla cancel\` ends it`;
    case "checks":
      return "it wakes when they are done";
    case "restart":
    case "time":
    case "paused":
    case null:
      return "it wakes automatically";
  }
}

function escalated(agent: AgentRecord, { holds, isRejected }: AgentStatusFacts): AgentStatus {
  const now = `needs a person: ${agent.reason ?? "it gave no reason"}`;
  const ways = waysOn(agent, isRejected);
  const also = held(now, holds);
  return also === null ? { now, next: ways } : { now: also.now, next: `${also.next}; then ${ways}` };
}

/** Returns how a person lets an agent that needs one continue, or ends it. */
function waysOn(agent: AgentRecord, isRejected: boolean): string {
  if (agent.category === DEADLOCK)
    return `say in a comment what to do differently; ${OUT_OF_DEADLOCK}, \`/flotilla cancel\` gives it up`;
  if (agent.category === REPLANNING)
    return "say in a comment what to do differently, or say `/flotilla resume`, `/flotilla retry` or `/flotilla cancel`";
  const ends = isRejected
    ? `\`/flotilla retry\` or \`/flotilla cancel\`; ${acceptWorkText(agent.prNumber, true)}`
    : "`/flotilla complete`, `/flotilla retry` or `/flotilla cancel`";
  if (mustBeGranted(agent)) return `say how much more by \`/flotilla budget +N\`, or say ${ends}`;
  const more = unitOf(agent.breaker) === null ? "" : " (half of the limit again), `/flotilla budget +N`";
  return `answer in a comment, or say \`/flotilla resume\`${more}, ${ends}`;
}

function afterEnd(agent: AgentRecord, facts: AgentStatusFacts): string {
  const { task, abandonedReason, isReviewed, hasSuccessor, merging, riskAbove } = facts;
  if (isOnPull(agent) && !hasSuccessor)
    return agent.coder
      ? "`/flotilla fix` has more done, `/flotilla review` has the pull request reviewed"
      : "say `/flotilla review` to have the pull request reviewed";
  if (hasSuccessor) return "nothing: a later attempt has taken its place";
  if (agent.coder && (task === "READY_FOR_REVIEW" || task === "APPROVED"))
    return nextOfWork(task, { pull: agent.prNumber, isReviewed, merging, riskAbove });
  if (agent.state === "COMPLETED" && !agent.coder && task === null)
    return "read its comment on the issue, which says what it found and what comes next";
  if (agent.state === "COMPLETED" || task === "MERGED") return "nothing: its work is done";
  const gone = adviceIfGone(abandonedReason ?? agent.reason);
  if (gone !== null) return gone;
  return task === "ABANDONED"
    ? "to have a new attempt, say `/flotilla retry` on the issue (reopen it first if it is closed)"
    : `${attemptAgain(agent, task)} makes a new attempt`;
}

/** What a run does in each phase, in words for people; the page uses the same ones. */
export const PHASE_WORDS: Readonly<Record<RunState, string>> = {
  idle: "not started",
  initializing: "gets ready",
  planning: "plans",
  executing: "does the work",
  evaluating: "is being checked",
  adapting: "fixes what the checks found",
  waiting_input: "waits for an answer",
  waiting_agent: "waits for other work",
  waiting_approval: "waits for a person",
  paused: "paused",
  error: "cannot continue for now",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};
