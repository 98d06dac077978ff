import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { agentsToShow } from "../../../src/domain/agents/agents-to-show.ts";
import { anAgent } from "../../factories/records.ts";

const DONE = "nothing: its work is done";
const coder = (state: AgentRecord["state"], next: string, id = 1) => ({
  agent: anAgent({ id, state }),
  status: { now: "x", next },
});
const reviewer = (state: AgentRecord["state"], next: string) => ({
  agent: anAgent({ id: 2, state, role: "reviewer", coder: false }),
  status: { now: "x", next },
});
const told = (...agents: readonly ReturnType<typeof coder>[]) =>
  agentsToShow(agents).map(({ agent }) => agent.id);

it("leads with the coder whose work waits for a merge, and not with the reviewer that is done", () => {
  expect(told(coder("COMPLETED", "merge #50"), reviewer("COMPLETED", DONE))).toEqual([1]);
  expect(told(reviewer("COMPLETED", DONE), coder("COMPLETED", "merge #50"))).toEqual([1]);
});

it("tells both where both leave something to do, and a live one always", () => {
  expect(told(coder("COMPLETED", "merge #50"), reviewer("FAILED", "retry"))).toEqual([1, 2]);
  expect(told(coder("COMPLETED", "review #50"), reviewer("ACTIVE", "it continues"))).toEqual([1, 2]);
});

it("tells the newest of those that ended, and no coder that ended where another lives", () => {
  expect(told(coder("COMPLETED", DONE), reviewer("COMPLETED", DONE))).toEqual([2]);
  expect(told(coder("FAILED", "retry"), coder("ACTIVE", "it continues", 3))).toEqual([3]);
  expect(told()).toEqual([]);
});
