import { agentMachine, newAgentRecord } from "../../src/domain/agents/agent.ts";
import type { NewAgent, ResolvedAgentEvent } from "../../src/domain/agents/agent-event.ts";
import { type AgentRecord, SLEEP_REASONS, WAKE_REASONS } from "../../src/domain/agents/agent-record.ts";
import { NEW } from "../../src/domain/kernel/state-machine.ts";
import { agentEvent } from "../domain/machines/agent-events.ts";
import { type Walker, walkerOf } from "./walker.ts";

/** Who the agent is: one that changes code, or one that reviews. */
type Kind = Pick<NewAgent, "coder" | "role" | "name">;

function eventsOf(type: ResolvedAgentEvent["type"], kind: Kind): readonly ResolvedAgentEvent[] {
  switch (type) {
    case "CREATE":
    case "REVIVE":
    case "REOPEN": {
      const event = agentEvent(type);
      return [{ ...event, newAgent: { ...event.newAgent, ...kind } }];
    }
    case "WAIT":
      return SLEEP_REASONS.map((reason) => agentEvent(type, { reason }));
    case "WAKE":
      return WAKE_REASONS.map((reason) => agentEvent(type, { reason }));
    case "COMPLETE":
      return (["evidence", "merged", "person"] as const).map((cause) => agentEvent(type, { cause }));
    default:
      return [agentEvent(type)];
  }
}

/** The Agent with each of its events: every reason to sleep and to wake, every cause of completion. */
const walkerFor = (kind: Kind): Walker<AgentRecord> =>
  walkerOf({
    machine: agentMachine,
    blank: { ...newAgentRecord, id: 11, version: 1 },
    start: NEW,
    candidates: () => agentMachine.events.flatMap((type) => eventsOf(type, kind)),
    key: ({ state, sleepReason, heldBy }) => `${state} ${sleepReason ?? ""} ${heldBy.join(" ")}`,
  });

export const agentWalker = walkerFor({ coder: true, role: "feat-dev", name: "feat-dev-issue-42" });
export const reviewerWalker = walkerFor({ coder: false, role: "reviewer", name: "reviewer-issue-42" });
