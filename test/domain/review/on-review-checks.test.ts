import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { onReviewChecks, type ReviewChecks } from "../../../src/domain/review/on-review-checks.ts";
import type { TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { aView } from "../../factories/a-view.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { someSettings } from "../../factories/some-settings.ts";

const COMMIT = "c".repeat(40);
const RED: ReviewChecks["red"][number] = {
  repositoryId: 1,
  ref: COMMIT,
  name: "build",
  run: "9@t",
  state: "red",
  conclusion: "failure",
  fingerprint: "f1",
  job: "build",
  step: null,
  log: "",
  excused: false,
  rerun: null,
  rerunAt: null,
  seenAt: 1,
  jobId: 9,
};

function react(
  overrides: Partial<ReviewChecks> = {},
  given: {
    owner?: Partial<AgentRecord>;
    task?: Partial<TaskRecord>;
    view?: Parameters<typeof aView>[0];
  } = {},
) {
  const checks: ReviewChecks = {
    verdict: { kind: "own_failure", checks: ["build"] },
    red: [RED, { ...RED, name: "lint" }],
    commit: COMMIT,
    attempts: [],
    maxIterations: 5,
    base: "main",
    at: 77,
    ...overrides,
  };
  const owner = anAgent({ id: 3, state: "COMPLETED", prNumber: 50, ...given.owner });
  const task = aTask({
    id: 8,
    state: "READY_FOR_REVIEW",
    assigneeId: 3,
    reviewCommit: COMMIT,
    ...given.task,
  });
  return onReviewChecks(checks, { owner, task, view: aView({ task, agents: [owner], ...given.view }) });
}

const FAILS = { machine: "task", id: 8, event: expect.objectContaining({ type: "CHECKS_FAIL" }) };

describe("a failure of the commit's own", () => {
  it("reopens finished work with what failed, and keeps the attempt", () => {
    const { changes, attempted } = react();
    expect(changes.moves).toEqual([
      FAILS,
      {
        machine: "agent",
        id: null,
        event: expect.objectContaining({ type: "REOPEN", why: expect.stringMatching(/^The check build/) }),
      },
    ]);
    expect(attempted).toEqual([{ taskId: 8, commit: COMMIT, check: "build", fingerprint: "f1", at: 77 }]);
  });

  it("wakes a sleeper, once for the commit", () => {
    const { changes } = react({}, { owner: { state: "SLEEPING", sleepReason: "review" } });
    expect(changes.moves).toEqual([FAILS]);
    expect(changes.wakes).toMatchObject([{ agentId: 3, reason: "checks", key: `checks:task-8:${COMMIT}` }]);
  });

  it("does nothing to what is approved: that is the merge queue's", () => {
    const { changes, attempted } = react({}, { task: { state: "APPROVED" } });
    expect([changes.moves, changes.wakes, changes.decisions, attempted]).toEqual([[], [], [], []]);
  });

  it("leaves one at work alone", () => {
    const { changes, attempted } = react({}, { owner: { state: "ACTIVE" } });
    expect(changes).toMatchObject({ moves: [], wakes: [], decisions: [{ rule: "checks_at_work" }] });
    expect(attempted).toEqual([]);
  });

  it("cannot reopen the work of a role that is gone", () => {
    const { changes } = react({}, { owner: { role: "gone" } });
    expect(changes).toMatchObject({ moves: [], decisions: [{ rule: "no_role" }] });
  });
});

const tried = (commit: string) => ({ taskId: 8, commit, check: "build", fingerprint: "f1", at: 1 });

describe("no more attempts", () => {
  const THRICE = { attempts: ["a", "b", "d"].map(tried) };

  it("call people once for finished work, which stays as it is", () => {
    const settings = someSettings({ escalation: { label: "needs-human", notify: ["ada"] } });
    const { changes } = react(THRICE, { view: { settings } });
    expect(changes.moves).toEqual([]);
    expect(changes.effects).toEqual([
      { kind: "post_comment", name: `checks-${COMMIT}`, body: expect.stringContaining("@ada") },
    ]);
    const told = aDecision({ rule: "checks_give_up", reason: changes.decisions[0]?.reason ?? "" });
    const again = react(THRICE, { view: { decisions: [told] } });
    expect(again.changes).toMatchObject({ effects: [], decisions: [{ rule: "checks_give_up" }] });
  });

  it("send a sleeper to a person", () => {
    const { changes } = react(THRICE, { owner: { state: "SLEEPING", sleepReason: "review" } });
    expect(changes.moves).toEqual([
      FAILS,
      { machine: "agent", id: 3, event: expect.objectContaining({ type: "ESCALATE", category: "checks" }) },
    ]);
  });

  it("follow for a commit that had its own", () => {
    const { changes } = react({ attempts: [tried(COMMIT)] });
    expect(changes.decisions).toMatchObject([
      { rule: "checks_give_up", reason: "build (failure), and nothing was changed for it" },
    ]);
  });
});

it("says what other verdicts wait for, and tries nothing", () => {
  const { changes, attempted } = react({ verdict: { kind: "base_red", checks: ["build"] } });
  expect(changes).toMatchObject({ moves: [], decisions: [{ rule: "base_red", agentId: 3 }] });
  expect(attempted).toEqual([]);
});
