import { describe, expect, it } from "vitest";
import { integrationFailed } from "../../../src/domain/merge-queue/integration-failed.ts";
import { aView } from "../../factories/a-view.ts";
import { anAgent, aTask } from "../../factories/records.ts";

describe("a failed integration", () => {
  const failure = {
    at: 5,
    cause: "base_moved",
    reason: "#12 conflicts with `main` in a.ts",
    detail: "",
    earlier: 0,
  } as const;
  const task = aTask({ state: "APPROVED", assigneeId: 1 });

  it("wakes its one coder while that sleeps", () => {
    const view = aView({ agents: [anAgent({ id: 1, state: "SLEEPING", sleepReason: "review" })] });
    const { moves, wakes } = integrationFailed(view, task, failure);
    expect(moves.map(({ event }) => event.type)).toEqual(["INTEGRATION_FAIL"]);
    expect(wakes).toMatchObject([
      { agentId: 1, reason: "base_moved", detail: expect.stringContaining("a.ts") },
    ]);
  });

  it("tells its coder what its checks say", () => {
    const view = aView({ agents: [anAgent({ id: 1, state: "SLEEPING", sleepReason: "review" })] });
    const told = { ...failure, cause: "checks", detail: "It says: no." } as const;
    expect(integrationFailed(view, task, told).wakes[0]).toMatchObject({
      reason: "checks",
      detail: expect.stringMatching(/\nIt says: no\.$/),
    });
  });

  it("reopens its one coder when that is done, on the same branch", () => {
    const owner = anAgent({ id: 1, state: "COMPLETED", branch: "flotilla/feat-dev/issue-42", prNumber: 12 });
    const { moves, wakes } = integrationFailed(aView({ agents: [owner] }), task, failure);
    expect(wakes).toEqual([]);
    expect(moves[1]).toMatchObject({
      machine: "agent",
      event: { type: "REOPEN", newAgent: { branch: owner.branch, prNumber: 12 }, previous: { id: 1 } },
    });
  });

  it("is told to people in place of a reopening too many", () => {
    const owner = anAgent({ id: 1, state: "COMPLETED", extraWakes: 1 });
    const { moves, decisions } = integrationFailed(aView({ agents: [owner] }), task, {
      ...failure,
      earlier: 6,
    });
    expect(moves.map(({ event }) => event.type)).toEqual(["INTEGRATION_FAIL"]);
    expect(decisions).toMatchObject([
      { rule: "merge_waits", reason: expect.stringContaining("failed 6 times before (max_iterations)") },
    ]);
    const last = integrationFailed(aView({ agents: [owner] }), task, { ...failure, earlier: 5 });
    expect(last.moves[1]).toMatchObject({ event: { type: "REOPEN" } });
  });

  it("is told to people when nobody is left who worked on it", () => {
    const { moves, decisions } = integrationFailed(aView({ agents: [] }), task, failure);
    expect(moves).toHaveLength(1);
    expect(decisions).toMatchObject([
      { rule: "merge_waits", change: expect.stringContaining("/flotilla start") },
    ]);
  });
});
