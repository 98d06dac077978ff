import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../src/domain/agents/run.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { asked, commentOf, told, took } from "../machines/agent-take.ts";

const OVER = {
  activeSince: null,
  leaseUntil: null,
  sleepReason: null,
  sleepingSince: null,
  dueAt: null,
  blockedBy: [],
  heldBy: [],
  endedAt: AT,
};
const COMMIT = "c".repeat(40);
const ENDED_RUNS = ["succeeded", "failed", "cancelled", "idle"];
const live = RUN_STATES.map((run) => [run, !ENDED_RUNS.includes(run)] as const);

describe("completion by evidence", () => {
  it("frees everything, says what was done and hands the commit over for review", () => {
    const agent = anAgent({ headCommit: COMMIT, prNumber: 50 });
    const move = took(agent, agentEvent("COMPLETE"));
    expect(move.snapshot).toMatchObject({
      ...OVER,
      state: "COMPLETED",
      reason: "Dark mode is there.",
      activeMs: HOUR,
    });
    expect(asked(move)).toEqual(["destroy session", "remove_worktree", "status_comment"]);
    expect(told(move)).toEqual(["run EVALUATION_PASS", "session STOP", "task REQUEST_REVIEW"]);
    expect(move.emits).toMatchObject([{}, { event: { reason: "completed" } }, { event: { commit: COMMIT } }]);
  });

  it.each([
    ["made no pull request", {}],
    ["works on a person's pull request", { issue: 50, prNumber: 50 }],
  ])("of a coder that %s is announced in a comment of its own", (_, where) => {
    const move = took(anAgent({ headCommit: COMMIT, prNumber: null, ...where }), agentEvent("COMPLETE"));
    expect(commentOf(move)).toContain("Dark mode is there.");
  });

  it("of a role without code has no comment: what it did is seen where it did it", () => {
    expect(asked(took(anAgent({ coder: false }), agentEvent("COMPLETE")))).toEqual([
      "destroy session",
      "remove_worktree",
      "status_comment",
    ]);
  });

  it("out of a sleep for checks ends the conversation that rests", () => {
    const agent = anAgent({ state: "SLEEPING", sleepReason: "checks", coder: false });
    expect(told(took(agent, agentEvent("COMPLETE")))).toEqual(["run EVALUATION_PASS", "session STOP"]);
  });
});

const doneAtApproval = (cause: "person" | "merged") => {
  const around = surroundings({ run: "waiting_approval", task: "MERGED" });
  return told(took(anAgent({ state: "SLEEPING" }), agentEvent("COMPLETE", { cause, around })));
};

describe("completion by a merge or a person", () => {
  it("is the person's decision where one was asked for, else what was seen", () => {
    expect(doneAtApproval("person")).toEqual(["run COMPLETE", "session STOP"]);
    expect(doneAtApproval("merged")).toEqual(["run OBSERVED_DONE", "session STOP"]);
  });

  it("by a merge puts nothing up for review", () => {
    const event = agentEvent("COMPLETE", { cause: "merged", around: surroundings({ run: null }) });
    expect(told(took(anAgent({ state: "SLEEPING", headCommit: COMMIT }), event))).toEqual(["session STOP"]);
  });

  it.each(live)("with the run in %s tells it only when it is not over: %s", (run, observed) => {
    const event = agentEvent("COMPLETE", { cause: "merged", around: surroundings({ run, task: "MERGED" }) });
    const expected = observed ? ["run OBSERVED_DONE", "session STOP"] : ["session STOP"];
    expect(told(took(anAgent({ state: "ESCALATED" }), event))).toEqual(expected);
    expect(told(took(anAgent(), event))).toEqual(expected);
  });

  it("takes the label of an escalated one away, and needs no comment", () => {
    const event = agentEvent("COMPLETE", { cause: "person" });
    expect(asked(took(anAgent({ state: "ESCALATED" }), event))).toEqual([
      "destroy session",
      "remove_worktree",
      "unlabel needs-human",
      "status_comment",
    ]);
    const created = took(anAgent({ state: "CREATED" }), event);
    expect(asked(created)).toEqual(["status_comment"]);
    expect(created.snapshot).toMatchObject({ ...OVER, state: "COMPLETED", reason: "Dark mode is there." });
  });

  it.each(TASK_STATES.filter((state) => state !== "REJECTED"))(
    "with the task in %s releases or hands over only a claimed one",
    (task) => {
      const event = agentEvent("COMPLETE", { cause: "person", around: surroundings({ run: null, task }) });
      const claimed = task === "CLAIMED";
      const asleep = anAgent({ state: "SLEEPING", headCommit: COMMIT });
      const toTask = (agent: AgentRecord) =>
        told(took(agent, event)).filter((text) => text.startsWith("task"));
      expect(toTask(asleep)).toEqual(claimed ? ["task REQUEST_REVIEW"] : []);
      expect(toTask({ ...asleep, headCommit: null })).toEqual(claimed ? ["task RELEASE"] : []);
      expect(toTask({ ...asleep, coder: false })).toEqual([]);
    },
  );

  it("leaves the worktree of an agent that has none alone, and the session that was never there", () => {
    const event = agentEvent("COMPLETE", { cause: "person" });
    expect(asked(took(anAgent({ worktreePath: null }), event))[0]).toBe("destroy session");
    expect(asked(took(anAgent({ worktreePath: null }), event))).not.toContain("remove_worktree");
    expect(took(anAgent({ worktreePath: null }), event).effects[0]).toMatchObject({ checkpoint: false });
    expect(took(anAgent(), event).effects[0]).toMatchObject({ checkpoint: true });
  });
});

describe("a failure", () => {
  it("saves the work, says why, tells whom to tell and gives the task back", () => {
    const move = took(anAgent({ id: 11 }), agentEvent("FAIL"));
    expect(move.snapshot).toMatchObject({
      ...OVER,
      state: "FAILED",
      reason: "The model refused.",
      breaker: null,
    });
    expect(asked(move)).toEqual([
      "keep session",
      "remove_worktree",
      "comment feat-dev-issue-42-failed-4",
      "status_comment",
    ]);
    expect(commentOf(move)).toContain("The model refused.");
    expect(commentOf(move)).toContain("@oncall");
    expect(told(move)).toEqual(["run ERROR", "session FAIL", "task RELEASE"]);
    expect(move.emits).toMatchObject([
      { event: { recoverable: false, error: "The model refused." } },
      { event: { reason: "crashed" } },
      { event: { failed: 11 } },
    ]);
  });

  it("that another attempt may cure offers one, once, and says so", () => {
    const first = took(anAgent(), agentEvent("FAIL", { curable: true }));
    expect(asked(first)).toContain("offer_attempt");
    expect(commentOf(first)).toContain("Flotilla retries once automatically");
    const usual = surroundings();
    const around = { ...usual, work: { ...usual.work, failedBy: [8] } };
    const second = took(anAgent(), agentEvent("FAIL", { curable: true, around }));
    expect(asked(second)).not.toContain("offer_attempt");
    expect(commentOf(second)).toContain("`/flotilla retry` starts a new attempt");
  });

  it("of a planner on blocked work names the command that starts it again: a retry is the coder's", () => {
    const around = surroundings({ task: "BLOCKED" });
    const failed = (agent: AgentRecord) => commentOf(took(agent, agentEvent("FAIL", { around })));
    expect(failed(anAgent({ role: "planner", coder: false }))).toContain(
      "`/flotilla start planner` starts a new attempt",
    );
    expect(failed(anAgent())).toContain("`/flotilla retry` starts a new attempt");
  });

  it("at a limit names it", () => {
    const breaker = "max_active_duration";
    const move = took(anAgent({ coder: false }), agentEvent("FAIL", { breaker }));
    expect(move.snapshot.breaker).toBe(breaker);
    expect(commentOf(move)).toContain("`max_active_duration`");
    expect(told(move)).toEqual(["run ERROR", "session FAIL"]);
    expect(move.emits[1]).toMatchObject({ event: { reason: "limit:max_active_duration" } });
  });
});

describe("a cancellation", () => {
  it("from work stops it, says who and why, keeps the branch and gives the task back", () => {
    const move = took(anAgent(), agentEvent("CANCEL"));
    expect(move.snapshot).toMatchObject({ ...OVER, state: "CANCELLED", reason: "nobody needs it" });
    expect(asked(move)).toEqual([
      "destroy session",
      "remove_worktree",
      "comment feat-dev-issue-42-cancelled-4",
      "status_comment",
    ]);
    expect(commentOf(move)).toBe(
      "@alice ended **feat-dev**: nobody needs it. The branch `flotilla/feat-dev/issue-42` is kept.",
    );
    expect(told(move)).toEqual(["run CANCEL", "session STOP", "task RELEASE"]);
    expect(move.emits).toMatchObject([{}, { event: { reason: "cancelled" } }, { event: { failed: null } }]);
  });

  it("for its age says how a new attempt starts, which a person's own word need not hear", () => {
    const again = "`/flotilla retry` starts a new attempt";
    expect(commentOf(took(anAgent(), agentEvent("CANCEL", { session: "ttl_expired" })))).toContain(again);
    expect(commentOf(took(anAgent(), agentEvent("CANCEL")))).not.toContain(again);
  });

  it("of an issue that is gone writes nothing there", () => {
    const move = took(anAgent({ state: "ESCALATED" }), agentEvent("CANCEL", { quiet: true, gone: true }));
    expect(asked(move)).toEqual(["destroy session", "remove worktree, telling nobody"]);
  });

  it("that is quiet has no comment", () => {
    expect(asked(took(anAgent(), agentEvent("CANCEL", { quiet: true })))).not.toContainEqual(
      expect.stringContaining("comment feat-dev"),
    );
  });

  it("of an escalated one takes its label away", () => {
    const around = surroundings({ run: "failed" });
    const move = took(anAgent({ state: "ESCALATED" }), agentEvent("CANCEL", { around }));
    expect(asked(move)).toContain("unlabel needs-human");
    expect(told(move)).toEqual(["session STOP", "task RELEASE"]);
  });

  it.each(live)("with the run in %s tells it only when it is not over: %s", (run, told_) => {
    const event = agentEvent("CANCEL", { around: surroundings({ run, task: null }) });
    expect(told(took(anAgent({ state: "SLEEPING" }), event))).toEqual(
      told_ ? ["run CANCEL", "session STOP"] : ["session STOP"],
    );
  });

  it("without a run, of one that does not hold the task, or of no coder releases no task", () => {
    const event = agentEvent("CANCEL", { around: surroundings({ run: null }) });
    expect(told(took(anAgent({ id: 12, state: "CREATED" }), event))).toEqual(["session STOP"]);
    expect(told(took(anAgent({ state: "SLEEPING", coder: false }), event))).toEqual(["session STOP"]);
    const merged = agentEvent("CANCEL", { around: surroundings({ run: null, task: "MERGED" }) });
    expect(told(took(anAgent({ state: "SLEEPING" }), merged))).toEqual(["session STOP"]);
  });
});
