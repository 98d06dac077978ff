import { describe, expect, it } from "vitest";
import { AGENT_STATES, isLive } from "../../../src/domain/agents/agent-record.ts";
import { decide } from "../../../src/domain/decide.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const COMMIT = "c".repeat(40);
const review = (overrides: Parameters<typeof aDomainEvent<"reviewed">>[1] = {}) =>
  aDomainEvent("reviewed", overrides);
const over = ["MERGED", "SUPERSEDED", "ABANDONED"];

describe("a pull request of ours that was merged", () => {
  const merged = aDomainEvent("pull_closed");

  it("completes its agent and merges the task, the agent first", () => {
    const changes = decide(merged, aView({ agents: [anAgent({ state: "SLEEPING" })], task: aTask() }));
    expect(movesOf(changes)).toEqual(["agent 11 COMPLETE", "task 41 OBSERVED_MERGED"]);
    expect(changes.moves[0]?.event).toMatchObject({ cause: "merged", summary: "#50 was merged" });
    expect(changes.moves[1]?.event).toMatchObject({ commit: COMMIT, actor: "alice" });
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("by our own App, of approved work, is the merge that the process did not live to note", () => {
    const agents = [anAgent({ state: "COMPLETED" })];
    const task = aTask({ state: "APPROVED", reviewCommit: "d".repeat(40) });
    const ours = aDomainEvent("pull_closed", { own: true });
    const { moves } = decide(ours, aView({ agents, task }));
    expect(moves[0]?.event).toMatchObject({
      type: "MERGE",
      actor: "flotilla",
      head: task.reviewCommit,
      mergeCommit: COMMIT,
    });
    expect(movesOf(decide(merged, aView({ agents, task })))).toEqual(["task 41 OBSERVED_MERGED"]);
    const nameless = aDomainEvent("pull_closed", { own: true, mergeCommit: null });
    expect(movesOf(decide(nameless, aView({ agents, task })))).toEqual(["task 41 OBSERVED_MERGED"]);
    const unread = { ...task, reviewCommit: null };
    expect(movesOf(decide(ours, aView({ agents, task: unread })))).toEqual(["task 41 OBSERVED_MERGED"]);
  });

  it("of an earlier attempt ends the one that works on the issue now", () => {
    const earlier = anAgent({ state: "COMPLETED" });
    const now = anAgent({
      id: 12,
      attempt: 2,
      name: "feat-dev-issue-42.2",
      branch: "flotilla/feat-dev/issue-42.2",
    });
    const moves = (overrides: Partial<typeof merged>, holder: number) =>
      movesOf(
        decide(
          { ...merged, ...overrides },
          aView({ agents: [earlier, now], task: aTask({ assigneeId: holder }) }),
        ),
      );
    expect(moves({}, now.id)).toEqual(["agent 12 COMPLETE", "task 41 OBSERVED_MERGED"]);
    expect(moves({}, earlier.id)).toEqual(["task 41 OBSERVED_MERGED"]);
    expect(moves({ merged: false }, now.id)).toEqual([]);
    const closedOne = { ...merged, merged: false };
    const [decision] = decide(closedOne, aView({ agents: [earlier, now] })).decisions;
    expect(decision).toMatchObject({
      rule: "pull_closed",
      reason: "#50 was closed without a merge, by @alice",
      change: "nothing: feat-dev-issue-42.2 continues",
    });
  });

  it("of finished work merges the task", () => {
    const view = aView({
      agents: [anAgent({ state: "COMPLETED" })],
      task: aTask({ state: "READY_FOR_REVIEW" }),
    });
    expect(movesOf(decide(merged, view))).toEqual(["task 41 OBSERVED_MERGED"]);
  });

  it.each(TASK_STATES)("moves a task in %s only if that is open", (state) => {
    const view = aView({ agents: [anAgent({ state: "COMPLETED" })], task: aTask({ state }) });
    expect(movesOf(decide(merged, view))).toEqual(over.includes(state) ? [] : ["task 41 OBSERVED_MERGED"]);
  });
});

describe("a pull request of ours that became a draft", () => {
  it("is noted, and its agents continue", () => {
    const changes = decide(aDomainEvent("pull_drafted"), aView({ agents: [anAgent()] }));
    expect(movesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["pull_draft"]);
    expect(whyOf(changes)).toBe("@alice made #50 a draft: it is not merged / marking it ready for review");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("is none of ours on another branch", () => {
    expect(rulesOf(decide(aDomainEvent("pull_drafted"), aView()))).toEqual(["not_ours"]);
  });
});

describe("a pull request of ours that was closed without a merge", () => {
  const closed = aDomainEvent("pull_closed", { merged: false, mergeCommit: null });

  it.each(AGENT_STATES)("cancels its agent in %s only if that is live", (state) => {
    const changes = decide(closed, aView({ agents: [anAgent({ state })] }));
    expect(movesOf(changes)).toEqual(isLive({ state }) ? ["agent 11 CANCEL"] : []);
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("says why it is cancelled", () => {
    const changes = decide(closed, aView({ agents: [anAgent()] }));
    expect(changes.moves[0]?.event).toMatchObject({ why: "#50 was closed without a merge" });
  });

  it("leaves the task to the coder that holds it and is cancelled", () => {
    const task = aTask({ state: "READY_FOR_REVIEW" });
    const sleeping = anAgent({ state: "SLEEPING" });
    expect(movesOf(decide(closed, aView({ agents: [sleeping], task })))).toEqual(["agent 11 CANCEL"]);
    expect(movesOf(decide(closed, aView({ agents: [{ ...sleeping, coder: false }], task })))).toEqual([
      "agent 11 CANCEL",
      "task 41 RELEASE",
    ]);
  });

  it.each([
    [true, ["agent 11 CANCEL", "task 41 RELEASE"]],
    [false, ["agent 11 CANCEL"]],
  ])("leaves nothing to fix for the coder at a failed merge (%s)", (integrationFix, moves) => {
    const task = aTask({ state: "CLAIMED", integrationFix });
    expect(movesOf(decide(closed, aView({ agents: [anAgent()], task })))).toEqual(moves);
  });

  it.each(TASK_STATES)(
    "gives a task in %s back unless it is free, over, or given back by its agent",
    (state) => {
      const view = aView({ agents: [anAgent({ state: "COMPLETED" })], task: aTask({ state }) });
      const left = [...over, "DRAFT", "UNCLAIMED", "CLAIMED", "BLOCKED"].includes(state);
      const changes = decide(closed, view);
      expect(movesOf(changes)).toEqual(left ? [] : ["task 41 RELEASE"]);
      expect(changes.moves.filter((move) => !("failed" in move.event && move.event.failed === null))).toEqual(
        [],
      );
    },
  );

  it("is none of ours on another branch", () => {
    const other = aDomainEvent("pull_closed", { headRef: "feature/x" });
    expect(rulesOf(decide(other, aView({ agents: [anAgent()] })))).toEqual(["not_ours"]);
  });
});

describe("a review", () => {
  const asked = review({ verdict: "changes_requested", body: "Tests, please." });

  it.each(AGENT_STATES.filter((state) => isLive({ state })))(
    "wakes its agent in %s with the words",
    (state) => {
      const changes = decide(asked, aView({ agents: [anAgent({ state })] }));
      expect(wakesOf(changes)).toEqual(["11 review"]);
      expect(changes.wakes[0]?.detail).toBe("@alice reviewed #50: changes requested. Tests, please.");
    },
  );

  it("that asks for changes reopens finished work on the same branch and pull request", () => {
    const done = anAgent({ state: "COMPLETED", prNumber: 50 });
    const view = aView({ agents: [done], task: aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT }) });
    const changes = decide(asked, view);
    expect(movesOf(changes)).toEqual(["task 41 REJECT", "agent new REOPEN"]);
    expect(changes.moves[0]?.event).toMatchObject({ reason: expect.stringContaining("Tests, please.") });
    expect(changes.moves[1]?.event).toMatchObject({
      newAgent: { attempt: 2, branch: "flotilla/feat-dev/issue-42", prNumber: 50 },
      previous: { id: 11 },
      why: expect.stringContaining("Tests, please."),
    });
  });

  it("that asks for changes rejects what its sleeping coder waits for, and wakes it", () => {
    const view = aView({
      agents: [anAgent({ state: "SLEEPING" })],
      task: aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT }),
    });
    const changes = decide(asked, view);
    expect(movesOf(changes)).toEqual(["task 41 REJECT"]);
    expect(changes.moves[0]?.event).toMatchObject({ maxCycles: 5, leaseToken: null, actor: "alice" });
    expect(wakesOf(changes)).toEqual(["11 review"]);
    expect(rulesOf(decide({ ...asked, verdict: "approved", reviewedCommit: null }, view))).toEqual([
      "other_commit",
    ]);
  });

  it.each([
    ["SLEEPING", ["status_comment"]],
    ["COMPLETED", ["post_comment", "status_comment"]],
  ] as const)(
    "that asks for changes in the last round goes to a person: no %s coder takes it up again",
    (state, told) => {
      const task = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT, reviewCyclesCurrent: 4 });
      const changes = decide(asked, aView({ agents: [anAgent({ state })], task }));
      expect(movesOf(changes)).toEqual(["task 41 REJECT"]);
      expect(wakesOf(changes)).toEqual([]);
      expect(rulesOf(changes)).toEqual(["review_deadlock"]);
      expect(effectsOf(changes)).toEqual(told);
      // Whoever gave it more rounds gave it these.
      const more = decide(
        asked,
        aView({ agents: [anAgent({ state })], task: { ...task, roundsGranted: 1 } }),
      );
      expect(rulesOf(more)).toEqual([]);
    },
  );

  it("that asks for changes where the task is gone opens a new one", () => {
    const view = aView({ agents: [anAgent({ state: "COMPLETED" })] });
    const changes = decide(asked, view);
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new REOPEN"]);
    expect(changes.moves[0]?.event).toMatchObject({ title: "Issue #42", draft: false });
  });

  it("goes to the latest agent of the branch", () => {
    const agents = [anAgent({ id: 1, state: "COMPLETED" }), anAgent({ id: 2, state: "SLEEPING" })];
    expect(wakesOf(decide(asked, aView({ agents })))).toEqual(["2 review"]);
  });

  it.each([
    ["not_ours", { headRef: "feature/x" }, {}],
    ["not_permitted", { permitted: false }, {}],
    ["nothing_to_do", { verdict: "approved" }, { state: "COMPLETED" }],
    ["nothing_to_do", { verdict: "changes_requested" }, { state: "CANCELLED" }],
    ["no_role", { verdict: "changes_requested" }, { state: "COMPLETED", role: "gone" }],
  ] as const)("is only noted (%s) with %j for %j", (rule, overrides, agent) => {
    const changes = decide(review(overrides), aView({ agents: [anAgent(agent)] }));
    expect(rulesOf(changes)).toEqual([rule]);
    expect([...movesOf(changes), ...wakesOf(changes)]).toEqual([]);
    expect(whyOf(changes)).not.toBe("");
  });
});
