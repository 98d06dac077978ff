import type { AgentRecord } from "../agents/agent-record.ts";
import type { RunRecord } from "../agents/run.ts";
import type { Hold } from "../breakers/hold.ts";
import type { QuestionRow } from "../questions/question.ts";
import type { Merging } from "../tasks/next-of-work.ts";
import type { TaskState } from "../tasks/task-record.ts";

/** The facts that a headline is made of. */
export interface AgentHeadlineFacts {
  readonly run: Pick<RunRecord, "state"> | null;
  readonly task: TaskState | null;
  /** What holds the agent while it is not at work. */
  readonly holds: readonly Hold[];
  /** Questions that still accept an answer. */
  readonly questions: readonly Pick<QuestionRow, "askedOf">[];
  /** Unanswered calls of the present period, and those about which a person has answered. */
  readonly approvals: readonly { readonly kind: string }[];
  readonly answered: readonly unknown[];
  /** The latest decision by which the agent was not started or woken, while it holds. */
  readonly heldUp: unknown;
  readonly isReviewed: boolean;
  readonly hasSuccessor: boolean;
  /** Where Flotilla merges by itself. */
  readonly merging?: Merging | null;
}

/** Returns the agent's state in a few plain words, such as "Waiting for @octocat's answer". */
export function agentHeadline(agent: AgentRecord, facts: AgentHeadlineFacts): string {
  switch (agent.state) {
    case "CREATED":
      if (facts.holds.length > 0) return "Paused before its start";
      if (agent.dueAt !== null) return "Starts later";
      return facts.heldUp === null ? "About to start" : "Waiting to start";
    case "ACTIVE":
      return facts.run?.state === "evaluating" ? "Its work is being checked" : "Working";
    case "SLEEPING":
      return facts.holds.length > 0 || agent.sleepReason === "paused" ? "Paused" : asleep(agent, facts);
    case "ESCALATED":
      return "Needs a person";
    case "COMPLETED":
      return completed(agent, facts);
    case "FAILED":
      return facts.hasSuccessor ? "Failed, and a later attempt has taken over" : "Failed";
    case "CANCELLED":
      return facts.hasSuccessor ? "Cancelled, and a later attempt has taken over" : "Cancelled";
  }
}

function asleep(agent: AgentRecord, facts: AgentHeadlineFacts): string {
  switch (agent.sleepReason) {
    case "question":
      return `Waiting for ${asked(facts.questions)}`;
    case "approval":
      return approval(agent, facts);
    case "review":
      return capital(workWords(agent.prNumber, facts));
    case "blocked":
      return `Waiting for ${blockers(agent)}`;
    case "checks":
      return "Waiting for the checks of its commit";
    case "provider_limit":
      return "Waiting for the model provider";
    case "retry":
      return "Retrying soon after an error";
    case "restart":
      return "Continues after the restart of Flotilla";
    case "time":
      return "Waiting until a set time";
    case "paused":
    case null:
      return "Paused";
  }
}

function asked(questions: AgentHeadlineFacts["questions"]): string {
  const [first, second] = [...new Set(questions.flatMap(({ askedOf }) => askedOf))];
  if (first === undefined) return "an answer";
  return second === undefined ? `@${first}'s answer` : `an answer of @${first} or @${second}`;
}

function approval({ breaker }: AgentRecord, { approvals, answered }: AgentHeadlineFacts): string {
  if (breaker !== null)
    return breaker === "max_turns" ? "Stopped at its turn limit" : "Stopped at one of its limits";
  if (approvals.length === 0 && answered.length > 0) return "Answered, and about to continue";
  return approvals.some(({ kind }) => kind === "plan")
    ? "Waiting for a person to approve its plan"
    : "Waiting for a person's approval";
}

function blockers({ blockedBy, blockedElsewhere }: AgentRecord): string {
  const names = [
    ...blockedBy.map((issue) => `#${issue}`),
    ...blockedElsewhere.map(({ repository, number }) => `${repository}#${number}`),
  ];
  if (names.length > 3) return `${names.length} other issues`;
  return names.length === 0 ? "another issue" : names.join(" and ");
}

function completed({ coder, prNumber }: AgentRecord, facts: AgentHeadlineFacts): string {
  const isOpen = coder && (facts.task === "READY_FOR_REVIEW" || facts.task === "APPROVED");
  if (isOpen) return `Done: ${workWords(prNumber, facts)}`;
  return coder && facts.task === "MERGED" ? `Done: ${pullWords(prNumber)} is merged` : "Done";
}

/** Says what finished work waits for. */
function workWords(pull: number | null, { task, isReviewed, merging }: AgentHeadlineFacts): string {
  const work = pullWords(pull);
  if (task === "APPROVED") return `${work} ${merging ? "is in the merge queue" : "is ready to merge"}`;
  return `${work} is ${isReviewed ? "being reviewed by an agent" : "ready for review"}`;
}

function pullWords(pull: number | null): string {
  return pull === null ? "its work" : `pull request #${pull}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
