import { expect, it } from "vitest";
import { numberIn, roundsFor, withCause } from "../../../src/domain/commands/extension-of.ts";
import { decide } from "../../../src/domain/decide.ts";
import { endedCoder, resumesDeadlocked } from "../../../src/domain/tasks/deadlocked.ts";
import { OUT_OF_DEADLOCK } from "../../../src/domain/tasks/escalation.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { movesOf, rulesOf } from "../kernel/changes-as-text.ts";

const task = aTask({
  state: "BLOCKED",
  blockedReason: "review_deadlock",
  assigneeId: 11,
  reviewCyclesCurrent: 5,
  rejectionReason: "No tests.",
});
const completed = anAgent({ state: "COMPLETED" });
const given = { at: AT, actor: "alice", rounds: null, said: "@alice says: continue." };

it("is reopened with more rounds, and is told the last rejection", () => {
  const { moves } = resumesDeadlocked(aView({ agents: [completed], task }), given) ?? { moves: [] };
  expect(moves).toMatchObject([
    { machine: "task", event: { type: "RESCOPE", rounds: { by: ["alice"], count: 5, maxCycles: 5 } } },
    { machine: "agent", event: { type: "REOPEN", why: expect.stringContaining("No tests.") } },
  ]);
});

it("has nobody to reopen where its coder lives, is unknown or has no role any more", () => {
  const live = aView({ agents: [anAgent({ state: "ESCALATED" })], task });
  const another = aView({ agents: [completed, anAgent({ id: 12, state: "CREATED" })], task });
  const unknown = aView({ agents: [], task });
  const roleless = aView({ agents: [{ ...completed, role: "gone" }], task });
  for (const view of [live, another, unknown, aView({ agents: [completed] })])
    expect(endedCoder(view)).toBeNull();
  for (const view of [live, unknown, roleless]) expect(resumesDeadlocked(view, given)).toBeNull();
  const replanned = aView({ agents: [completed], task: { ...task, blockedReason: "replanning" } });
  expect(resumesDeadlocked(replanned, given)).toBeNull();
});

it("gives rounds to none but the one that a deadlock stopped", () => {
  const stopped = anAgent({ state: "ESCALATED", category: "review_deadlock", reason: "it was rejected" });
  expect(roundsFor(stopped, 2, "alice")).toMatchObject({ by: ["alice"], rounds: 2, turns: 0 });
  expect(roundsFor(anAgent({ state: "ESCALATED" }), 2, "alice")).toBeNull();
  expect(withCause(stopped, "Continue.")).toBe("Continue.\n\nYou were stopped because it was rejected");
  expect(withCause(anAgent(), "Continue.")).toBe("Continue.");
  expect(["3", " 12 ", "0", "", "two", "-1"].map(numberIn)).toEqual([3, 12, null, null, null, null]);
});

it("by /flotilla continue gets rounds as by resume, one that waits for a person as many as are said", () => {
  const stopped = anAgent({ state: "ESCALATED", category: "review_deadlock", reason: "it was rejected" });
  const { wakes } = decide(aCommand("continue", "2"), aView({ agents: [stopped], task }));
  expect(wakes).toMatchObject([
    { agentId: 11, reason: "approval", grant: { by: ["alice"], rounds: 2, turns: 0 } },
  ]);
  expect(wakes[0]?.detail).toContain("You were stopped because it was rejected");
});

it("by /flotilla retry begins again in a new attempt, though its coder had completed", () => {
  const changes = decide(aCommand("retry"), aView({ agents: [completed], task }));
  expect(movesOf(changes)).toEqual(["task 41 RESCOPE", "agent new CREATE"]);
  expect(changes.moves[1]?.event).toMatchObject({ newAgent: { attempt: 2, role: "feat-dev" } });
  const roleless = aView({ agents: [{ ...completed, role: "gone" }], task });
  expect(rulesOf(decide(aCommand("retry"), roleless))).toEqual(["no_role"]);
});

const changeFor = (blockedReason: string) => {
  const agents = [{ ...completed, prNumber: 50 }];
  return decide(aCommand("pause"), aView({ agents, task: { ...task, blockedReason } })).decisions[0]?.change;
};

it("names the ways out where a command has nobody to take it", () => {
  expect(changeFor("review_deadlock")).toBe(`${OUT_OF_DEADLOCK}; merge #50 if it is good as it is`);
  expect(changeFor("two issues in one")).not.toContain("merge #50");
});
