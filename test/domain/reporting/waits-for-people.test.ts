import { expect, test } from "vitest";
import { newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { waitsForPeople } from "../../../src/domain/reporting/waits-for-people.ts";

const agent = (fields: Partial<AgentRecord>): AgentRecord => ({
  ...newAgentRecord,
  id: 1,
  repositoryId: 7,
  issue: 42,
  createdAt: 1,
  ...fields,
});
const task = { state: "APPROVED", repositoryId: 7, issue: 42, assigneeId: 1 } as const;

test.each<[string, Partial<AgentRecord>]>([
  ["escalated", { state: "ESCALATED" }],
  ["question", { state: "SLEEPING", sleepReason: "question" }],
  ["approval", { state: "SLEEPING", sleepReason: "approval" }],
  ["limit", { state: "SLEEPING", sleepReason: "approval", breaker: "max_turns" }],
  ["held", { state: "SLEEPING", sleepReason: "paused", heldBy: ["commit"] }],
])("%s waits for people since the agent stopped", (kind, fields) => {
  expect(waitsForPeople([agent({ ...fields, sleepingSince: 500 })], [])).toEqual([{ kind, since: 500 }]);
});

test("an agent that sleeps for something else does not", () => {
  for (const sleepReason of ["blocked", "checks", "retry"] as const)
    expect(waitsForPeople([agent({ state: "SLEEPING", sleepReason })], [])).toEqual([]);
});

test("finished work waits since its coder ended, unless an agent works on it", () => {
  const coder = agent({ state: "COMPLETED", endedAt: 900 });
  expect(waitsForPeople([coder], [task])).toEqual([{ kind: "work", since: 900 }]);
  expect(waitsForPeople([coder], [{ ...task, state: "REJECTED" }])).toEqual([]);
  expect(waitsForPeople([coder, agent({ id: 2, state: "ACTIVE" })], [task])).toEqual([]);
  expect(waitsForPeople([coder, agent({ id: 2, state: "ACTIVE", issue: 43 })], [task])).toHaveLength(1);
});
