import { NEW } from "../../src/core/machine.ts";
import { agentMachine, blankAgent } from "../../src/core/machines/agent.ts";
import type { AgentEvent } from "../../src/core/machines/agent-event.ts";
import { type AgentRecord, SLEEP_REASONS, WAKE_REASONS } from "../../src/core/machines/agent-record.ts";
import { agentEvent } from "../core/machines/agent-events.ts";
import { type Walker, walkerOf } from "./walker.ts";

function eventsOf(type: AgentEvent["type"]): readonly AgentEvent[] {
  switch (type) {
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
export const agentWalker: Walker<AgentRecord> = walkerOf({
  machine: agentMachine,
  blank: { ...blankAgent, id: 11, version: 1 },
  start: NEW,
  candidates: () => agentMachine.events.flatMap(eventsOf),
  key: ({ state, sleepReason, heldBy }) => `${state} ${sleepReason ?? ""} ${heldBy.join(" ")}`,
});
