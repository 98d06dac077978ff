import { holdEnds, holdsOf, holdText } from "../breakers/hold.ts";
import type { Verb } from "../commands/command.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import { acceptWorkText } from "../tasks/accept-work-text.ts";
import { DEADLOCK, OUT_OF_DEADLOCK } from "../tasks/escalation.ts";
import { attemptAgain, pullOf } from "../tasks/next-of-work.ts";
import { type AgentRecord, isLive } from "./agent-record.ts";
import { newestCommit } from "./agent-task.ts";

/** Returns why none of the issue's agents can take a command, and what to use instead. */
export function cannotTake(
  verb: Verb,
  { agents, around, task, rejectedBy }: Pick<IssueState, "agents" | "around" | "task" | "rejectedBy">,
): ChangeSet {
  // Where no agent lives, people mean the one that holds the task.
  const agent = agents.findLast(isLive) ?? agents.find(({ id }) => id === task?.assigneeId) ?? agents.at(-1);
  if (agent === undefined)
    return decisionOnly("nobody_concerned", "no agent works on this issue", {
      change: "label it, or say `/flotilla start [role]`",
    });
  const holds = holdsOf(agent, around);
  if (holds.length > 0)
    return decisionOnly("held", `${agent.name} is held: ${holdText(holds)}`, {
      agentId: agent.id,
      change: holdEnds(holds),
    });
  return decisionOnly("nobody_concerned", `${agent.name} ${stateWords(agent)}`, {
    agentId: agent.id,
    change: instead(verb, agent, { task, rejectedBy }),
  });
}

function stateWords(agent: AgentRecord): string {
  if (agent.sleepReason === null) return `is ${agent.state}`;
  if (agent.sleepReason === "approval" && agent.breaker === null) return "waits for a person's approval";
  const limit = agent.breaker === null ? "" : ` at the limit ${agent.breaker}`;
  return `is ${agent.state} (${agent.sleepReason}${limit})`;
}

function instead(
  verb: Verb,
  agent: AgentRecord,
  { task, rejectedBy }: Pick<IssueState, "task" | "rejectedBy">,
): string {
  if (!isLive(agent))
    return verb === "pause" && task?.state === "APPROVED" ? unmerged(agent) : afterEnd(agent, task);
  if (verb === "retry") return "`/flotilla cancel` ends it first";
  if (agent.state === "ESCALATED") return "answer it, or say `/flotilla resume`, `retry` or `cancel`";
  if (agent.state !== "SLEEPING") return "it continues automatically; `/flotilla why` says what holds it up";
  if (agent.sleepReason !== "approval") return "what it waits for wakes it; `/flotilla status` shows that";
  if (agent.breaker === null) return "`/flotilla approve [hash]` or `/flotilla deny <reason>` answers it";
  const isRejected =
    agent.coder && task !== null && rejectedBy.length > 0 && newestCommit(agent, task) === task.reviewCommit;
  return `\`/flotilla continue [n]\` gives it n more turns, ${acceptWorkText(agent.prNumber, isRejected)}`;
}

/** Returns the hint for an agent that ended with an open pull request. */
const unmerged = ({ prNumber }: AgentRecord): string =>
  `make ${pullOf(prNumber)} a draft: Flotilla merges no draft`;

/** Returns what people can do where a start is refused because the work waits for its review or its merge. */
function afterEnd({ state, prNumber, role, coder }: AgentRecord, of: IssueState["task"]): string {
  const work = pullOf(prNumber);
  const task = of?.state ?? null;
  if (of?.state === "BLOCKED" && of.blockedReason === DEADLOCK)
    return `${OUT_OF_DEADLOCK}; merge ${work} if it is good as it is`;
  if (task === "APPROVED")
    return `merge ${work}, or close it and say \`/flotilla start [role]\`; a review that requests changes reopens the work`;
  if (task === "READY_FOR_REVIEW") return `review ${work}: a review that requests changes reopens the work`;
  // The pull request, if there was one, is merged or closed.
  if (state === "COMPLETED" && (task === null || task === "UNCLAIMED"))
    return "`/flotilla start [role]` begins again";
  if (state === "COMPLETED")
    return "`/flotilla start [role]` begins again; a review that requests changes reopens its work";
  return `${attemptAgain({ role, coder }, task)} makes a new attempt`;
}
