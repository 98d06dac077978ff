import { expect, it } from "vitest";
import { issueStatusLines } from "../../../src/domain/status/explain.ts";
import { nextOfWork, workLine } from "../../../src/domain/tasks/next-of-work.ts";
import { workReason } from "../../../src/domain/tasks/work-reason.ts";
import { anAgent, aTask } from "../../factories/records.ts";

const coder = anAgent({ id: 4, coder: true, state: "COMPLETED", prNumber: 50 });
const reviewer = anAgent({ id: 5, coder: false, state: "ACTIVE" });

it("says where work status, why, and what comes next, by what its agents say", () => {
  const up = aTask({ issue: 1, state: "READY_FOR_REVIEW", assigneeId: 4 });
  expect(workLine(up, [coder])).toBe("the work of #1 is READY_FOR_REVIEW → review #50 on GitHub");
  expect(workLine(up, [coder, reviewer])).toContain("→ nothing: an agent reviews it");
  const failed = aTask({ issue: 1, state: "INTEGRATION_FAILED", integrationReason: "a\nconflict" });
  expect(workLine(failed, [coder])).toMatch(/is INTEGRATION_FAILED: a conflict → no agent is fixing this/);
  expect(workLine(failed, [{ ...coder, state: "SLEEPING" }])).toContain("its coder fixes that");
});

it("names no reason that it does not know", () => {
  for (const state of ["REJECTED", "INTEGRATION_FAILED", "BLOCKED", "SUPERSEDED"] as const)
    expect(workReason(aTask({ state }))).toContain("unknown");
  expect(workReason(aTask({ state: "CLAIMED", integrationFix: true }))).toContain("unknown");
  expect(workReason(aTask({ state: "ABANDONED", abandonedReason: "@alice gave it up" }))).toBe(
    "@alice gave it up",
  );
});

it("is told beside the agents and the goal or sprint of its issue", () => {
  const task = aTask({ issue: 1, state: "MERGED" });
  expect(issueStatusLines({ agents: [], task, plan: null })).toEqual([
    "the work of #1 is MERGED → nothing: the work is done",
  ]);
  const status = { now: "it is done", next: "nothing" };
  const up = aTask({ issue: 1, state: "READY_FOR_REVIEW", assigneeId: 4 });
  expect(issueStatusLines({ agents: [{ agent: coder, status }], task: up, plan: null })).toEqual([
    "feat-dev-issue-42 is COMPLETED: it is done → nothing",
    "the work of #1 is READY_FOR_REVIEW → review #50 on GitHub",
  ]);
  const plan = { repositoryId: 7, goal: null, sprints: [], tasks: [], agents: 0, costMicroUsd: 0 };
  expect(issueStatusLines({ agents: [], task: null, plan })).toHaveLength(1);
});

it("says of work whose issue is gone where it can continue", () => {
  const ended = aTask({ state: "ABANDONED", abandonedReason: "the issue was deleted" });
  expect(workLine(ended, [])).toMatch(
    /ABANDONED: the issue was deleted → nothing: work for it needs a new issue$/,
  );
  const facts = { pull: null, isReviewed: false, abandonedReason: "the issue was transferred to a/b#9" };
  expect(nextOfWork("ABANDONED", facts)).toBe("label a/b#9, or say `/flotilla start` there");
});
