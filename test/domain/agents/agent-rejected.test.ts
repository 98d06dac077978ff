import { describe, expect, it } from "vitest";
import { agentMachine, newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { refused } from "../machines/moved.ts";

const { work } = surroundings();
const rejected = surroundings({ task: "REJECTED" });
const requested = surroundings({ work: { ...work, rejectedBy: ["alice", "bob"] } });
const BY = { person: "person", merge: "merged" } as const;

const completing = (agent: AgentRecord, around = rejected, cause: "person" | "merged" = BY.person) =>
  step(agentMachine, agent, agentEvent("COMPLETE", { cause, around }), newAgentRecord);

describe("a person's word that rejected work is complete", () => {
  it.each([
    [
      "sleeps",
      { state: "SLEEPING" },
      "its coder works on it again; merge #50 on GitHub to take the work as it is",
    ],
    [
      "works",
      { state: "ACTIVE" },
      "its coder works on it again; merge #50 on GitHub to take the work as it is",
    ],
    [
      "has not begun",
      { state: "CREATED" },
      "its coder works on it again; merge #50 on GitHub to take the work as it is",
    ],
    [
      "is held by an incident",
      { state: "SLEEPING", heldBy: ["incident"] },
      "its coder works on it again; merge #50 on GitHub to take the work as it is",
    ],
    [
      "is paused",
      { state: "SLEEPING", heldBy: ["person"] },
      "`/flotilla resume` lets its coder change it; merge #50 on GitHub to take the work as it is",
    ],
  ] as const)("does not end a coder that %s", (_, fields, change) => {
    const agent = anAgent({ prNumber: 50, ...fields, heldBy: "heldBy" in fields ? [...fields.heldBy] : [] });
    expect(refused(completing(agent))).toMatchObject({ rule: "changes_requested", change });
  });

  it("ends a coder that asks what to do about its checks, not one whose work a person rejected", () => {
    const asking = anAgent({ state: "ESCALATED", prNumber: 50 });
    expect(completing(asking)).toMatchObject({ ok: true });
    const byAlice = { ...rejected, work: { ...work, rejectedBy: ["alice"] } };
    expect(refused(completing(asking, byAlice))).toMatchObject({
      rule: "changes_requested",
      reason: "the changes that @alice requested of its newest commit are not made yet",
    });
  });

  it("ends an agent that is no coder, and a merge ends every agent", () => {
    expect(completing(anAgent({ coder: false }))).toMatchObject({ ok: true });
    expect(completing(anAgent(), rejected, BY.merge)).toMatchObject({ ok: true });
  });
});

describe("a person's word that work is complete of which changes are requested", () => {
  it("does not put that commit up for review, and names who requested them", () => {
    expect(refused(completing(anAgent({ prNumber: null }), requested))).toMatchObject({
      rule: "changes_requested",
      reason: "the changes that @alice and @bob requested of its newest commit are not made yet",
      change:
        "let @alice and @bob approve that commit or dismiss the request for changes on GitHub, and say it again; or merge its work on GitHub to take the work as it is",
    });
  });

  it("ends a coder whose task is up for review already, and a merge ends it too", () => {
    expect(completing(anAgent(), { ...requested, task: "READY_FOR_REVIEW" })).toMatchObject({ ok: true });
    expect(completing(anAgent(), requested, BY.merge)).toMatchObject({ ok: true });
    expect(completing(anAgent(), surroundings())).toMatchObject({ ok: true });
  });
});
