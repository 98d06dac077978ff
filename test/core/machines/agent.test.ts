import { describe, expect, it } from "vitest";
import { NEW } from "../../../src/core/machine.ts";
import { agentMachine, blankAgent } from "../../../src/core/machines/agent.ts";
import type { AgentEvent } from "../../../src/core/machines/agent-event.ts";
import {
  AGENT_STATES,
  type AgentRecord,
  agentRecord,
  isLive,
} from "../../../src/core/machines/agent-record.ts";
import { LIMITS } from "../../factories/some-settings.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "./agent-events.ts";
import { AGENT_TABLE } from "./agent-table.ts";
import { type Arrow, arrowsOf, printArrow } from "./arrow.ts";
import { machineContract, type Witness } from "./machine-contract.ts";

const LIFTS = agentEvent("RESUME");

/** What an arrow needs beyond the usual event. */
const SPECIAL: Readonly<Record<string, Witness<AgentRecord, AgentEvent>>> = {
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

const witness = (arrow: Arrow): Witness<AgentRecord, AgentEvent> => {
  const type = agentMachine.events.find((known) => known === arrow.event);
  if (type === undefined) throw new Error(`the agent has no event ${arrow.event}`);
  return SPECIAL[printArrow(arrow)] ?? { event: agentEvent(type) };
};

machineContract({
  machine: agentMachine,
  blank: blankAgent,
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
    expect(agentRecord.parse(blankAgent)).toEqual(blankAgent);
    expect(Object.values(blankAgent).filter((value) => typeof value === "string")).toEqual([
      "CREATED",
      "",
      "",
      "copilot",
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
