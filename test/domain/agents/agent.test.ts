import { describe, expect, it } from "vitest";
import { agentMachine, newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { ResolvedAgentEvent } from "../../../src/domain/agents/agent-event.ts";
import {
  AGENT_STATES,
  type AgentRecord,
  agentRecord,
  isLive,
} from "../../../src/domain/agents/agent-record.ts";
import { NEW } from "../../../src/domain/kernel/state-machine.ts";
import { LIMITS } from "../../factories/some-settings.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { AGENT_TABLE } from "../machines/agent-table.ts";
import { type Arrow, arrowsOf, printArrow } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";

const LIFTS = agentEvent("RESUME");

/** What an arrow needs beyond the usual event. */
const SPECIAL: Readonly<Record<string, Witness<AgentRecord, ResolvedAgentEvent>>> = {
  "CREATED --RESUME--> CREATED": { event: LIFTS, snapshot: { heldBy: ["person"] } },
  "SLEEPING --RESUME--> SLEEPING": { event: LIFTS, snapshot: { heldBy: ["person"] } },
  "ESCALATED --RESUME--> ESCALATED": { event: LIFTS, snapshot: { heldBy: ["person"] } },
  "SLEEPING --COMPLETE--> COMPLETED": { event: agentEvent("COMPLETE"), snapshot: { sleepReason: "checks" } },
  "CREATED --COMPLETE--> COMPLETED": { event: agentEvent("COMPLETE", { cause: "person" }) },
  "ESCALATED --COMPLETE--> COMPLETED": { event: agentEvent("COMPLETE", { cause: "merged" }) },
  "SLEEPING --WAKE--> ESCALATED": {
    event: agentEvent("WAKE", {
      reason: "blocker",
      around: surroundings({ limits: { ...LIMITS, maxIterations: 0 } }),
    }),
  },
};

const witness = (arrow: Arrow): Witness<AgentRecord, ResolvedAgentEvent> => {
  const type = agentMachine.events.find((known) => known === arrow.event);
  if (type === undefined) throw new Error(`the agent has no event ${arrow.event}`);
  return SPECIAL[printArrow(arrow)] ?? { event: agentEvent(type) };
};

machineContract({
  machine: agentMachine,
  blank: newAgentRecord,
  start: NEW,
  witness,
  terminalTakes: [],
  key: ({ state, heldBy, sleepReason }) => `${state} ${heldBy.join()} ${sleepReason}`,
});

describe("the agent's table", () => {
  it("has exactly the arrows of the design", () => {
    expect(arrowsOf(agentMachine).map(printArrow).toSorted()).toEqual(AGENT_TABLE);
  });

  it("has exactly the ends of the design", () => {
    expect(agentMachine.terminal).toEqual(["COMPLETED", "FAILED", "CANCELLED"]);
  });

  it("begins with a record that can be stored and says nothing yet", () => {
    expect(agentRecord.parse(newAgentRecord)).toEqual(newAgentRecord);
    expect(Object.values(newAgentRecord).filter((value) => typeof value === "string")).toEqual([
      "CREATED",
      "",
      "",
      "",
      "continuous",
      "local",
    ]);
  });

  it("knows which states are live", () => {
    expect(AGENT_STATES.filter((state) => isLive({ state }))).toEqual([
      "CREATED",
      "ACTIVE",
      "SLEEPING",
      "ESCALATED",
    ]);
  });
});
