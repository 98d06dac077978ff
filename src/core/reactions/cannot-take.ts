import type { Verb } from "../command.ts";
import { holdEnds, holdsOf, holdText } from "../hold.ts";
import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import { decided, type Reaction, type View } from "../reaction.ts";

/** A command that none of the agents can take: why, and what is meant instead. */
export function cannotTake(verb: Verb, { agents, around }: Pick<View, "agents" | "around">): Reaction {
  const agent = agents.findLast(isLive) ?? agents.at(-1);
  if (agent === undefined)
    return decided("nobody_concerned", "no agent works on this issue", {
      change: "label it, or say `/flotilla start [role]`",
    });
  const holds = holdsOf(agent, around);
  if (holds.length > 0)
    return decided("held", `${agent.name} is held: ${holdText(holds)}`, {
      agentId: agent.id,
      change: holdEnds(holds),
    });
  return decided("nobody_concerned", `${agent.name} is ${stands(agent)}`, {
    agentId: agent.id,
    change: instead(verb, agent),
  });
}

function stands(agent: AgentRecord): string {
  if (agent.state !== "SLEEPING") return agent.state;
  const limit = agent.breaker === null ? "" : ` at the limit ${agent.breaker}`;
  return `SLEEPING (${agent.sleepReason ?? "paused"}${limit})`;
}

function instead(verb: Verb, agent: AgentRecord): string {
  if (!isLive(agent))
    return agent.state === "COMPLETED"
      ? "`/flotilla start [role]` begins anew, a review that requests changes reopens its work"
      : "`/flotilla retry` makes a new attempt";
  if (verb === "retry") return "`/flotilla cancel` ends it first";
  if (agent.state === "ESCALATED") return "answer it, or say `/flotilla resume`, `retry` or `cancel`";
  if (agent.state !== "SLEEPING") return "it goes on by itself; `/flotilla why` says what holds it up";
  if (agent.sleepReason !== "approval") return "what it waits for wakes it; `/flotilla status` shows that";
  return agent.breaker === null
    ? "`/flotilla approve [hash]` or `/flotilla deny <reason>` answers it"
    : "`/flotilla continue [n]` lets it go on by n more, `/flotilla complete` takes the work as it is";
}
