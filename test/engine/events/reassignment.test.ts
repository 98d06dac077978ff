import { expect, it } from "vitest";
import { advanceAgent, agentMove } from "../../../src/engine/kernel/advance-agent.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { byHand } from "../../reach/record.ts";
import { agentOf, commentsOn, stateOf, statusComments, taskOf } from "../look.ts";
import { labeled, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { edit, on, onAttempt, type Step, slowly, work } from "../scripts.ts";

const SILENT: Step = slowly(3_600_000, edit());
const SECOND = "feat-dev-issue-1.2";
const THIRD = "feat-dev-issue-1.3";

/** A first coder that has changed a file and committed nothing, and whoever comes after it. */
async function begun(second: readonly Step[], third: readonly Step[] = []): Promise<Rig> {
  const script = [onAttempt(1, 3, ...third), onAttempt(1, 2, ...second), on(1, edit("first.ts"), SILENT)];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 2);
  return rig;
}

async function fails(rig: Rig, name = "feat-dev-issue-1"): Promise<number> {
  const agent = await agentOf(rig, name);
  const reason = "the lease of its task was lost";
  const by = { at: rig.clock.now(), actor: "flotilla" };
  const fail = { type: "FAIL", ...by, reason, breaker: null, code: "lease_lost" } as const;
  await byHand(() => advanceAgent(rig.context, agent, { moves: [agentMove(agent, fail)] }));
  await rig.idle();
  return agent.id;
}

it("after a failure the task is free, remembers who failed, and the next coder begins in a fresh worktree", async () => {
  const rig = await begun([SILENT]);
  const first = await fails(rig);
  expect(await taskOf(rig)).toMatchObject({
    state: "UNCLAIMED",
    assigneeId: null,
    worktree: null,
    leaseUntil: null,
    failedBy: [first],
  });
  await rig.engine.handle(said(rig, 1, "/flotilla retry"));
  await rig.until("the second works", async () => (await stateOf(rig, SECOND)) === "ACTIVE");
  const second = await agentOf(rig, SECOND);
  expect(await taskOf(rig)).toMatchObject({
    state: "CLAIMED",
    assigneeId: second.id,
    worktree: SECOND,
    failedBy: [first],
    reviewCyclesCurrent: 0,
    integrationFix: false,
  });
  await rig.until("it has its worktree", async () => (await agentOf(rig, SECOND)).worktreePath !== null);
  expect(rig.worktrees.read(SECOND, "first.ts")).toBeNull();
});

it("after a second coder's failure it needs replanning, and people read what they can do", async () => {
  const rig = await begun([edit("second.ts"), SILENT], work);
  const first = await fails(rig);
  await rig.engine.handle(said(rig, 1, "/flotilla retry"));
  await rig.until("the second works", async () => (await stateOf(rig, SECOND)) === "ACTIVE");
  const second = await fails(rig, SECOND);
  expect(await taskOf(rig)).toMatchObject({
    state: "BLOCKED",
    blockedReason: "coders_failed",
    failedBy: [first, second],
    leaseUntil: null,
  });
  expect(statusComments(rig)[0]).toMatch(
    /needs replanning \(coders_failed\); 2 coders failed at it; next: .*`\/flotilla start`/,
  );
  expect(rig.repository.issues.get(1)?.labels).toContain("flotilla:blocked");
  expect(commentsOn(rig).filter((body) => body.includes("lease of its task"))).toHaveLength(2);
  await tell(rig, said(rig, 1, "/flotilla start"));
  expect(await stateOf(rig, THIRD)).toBe("COMPLETED");
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", failedBy: [first, second] });
});

it("a blocked task that is cancelled is abandoned", async () => {
  const rig = await begun([SILENT]);
  await fails(rig);
  await rig.engine.handle(said(rig, 1, "/flotilla retry"));
  await rig.until("the second works", async () => (await stateOf(rig, SECOND)) === "ACTIVE");
  await fails(rig, SECOND);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect((await taskOf(rig))?.state).toBe("ABANDONED");
  expect(statusComments(rig)[0]).toContain("Task: **ABANDONED**");
});

it("a coder that is cancelled failed at nothing", async () => {
  const rig = await begun([SILENT]);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await taskOf(rig)).toMatchObject({ state: "UNCLAIMED", assigneeId: null, failedBy: [] });
});

it("rejected work that its own coder takes back keeps its counts", async () => {
  const rig = await aRig({ script: [onAttempt(1, 2, SILENT), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [pull = 0] = rig.repository.pulls.keys();
  const task = await taskOf(rig);
  if (task === undefined) throw new Error("there is no task");
  const line = task.line;
  await rig.engine.handle(reviewed(rig, pull, "changes_requested"));
  await rig.until("it works again", async () => (await stateOf(rig, SECOND)) === "ACTIVE");
  const now = await taskOf(rig);
  expect(now).toMatchObject({ state: "CLAIMED", line, reviewCyclesTotal: now?.reviewCyclesCurrent });
});

it("rejected work that a coder of another role takes begins in a fresh worktree, and only the total of its counts stays", async () => {
  const rig = await aRig({
    settings: { roles: rolesOf(aRole(), aRole({ name: "bug-fix", triggers: [] })) },
    script: [
      { match: "Work on issue #1 of.*bug-fix", steps: [edit("other.ts"), SILENT] },
      on(1, edit("first.ts"), ...work.slice(1)),
    ],
  });
  await tell(rig, labeled(rig, 1));
  const [pull = 0] = rig.repository.pulls.keys();
  expect(rig.worktrees.serverHead("flotilla/feat-dev/issue-1")).not.toBeNull();
  await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
  await tell(rig, reviewed(rig, pull, "changes_requested"));
  expect(await stateOf(rig, SECOND)).toBe("CREATED");
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await stateOf(rig, SECOND)).toBe("CANCELLED");
  expect(await taskOf(rig)).toMatchObject({ state: "REJECTED", reviewCyclesCurrent: 1 });
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.engine.handle(said(rig, 1, "/flotilla start bug-fix"));
  await rig.until("its first call is done", () => rig.worktrees.read("bug-fix-issue-1", "other.ts") !== null);
  const other = await agentOf(rig, "bug-fix-issue-1");
  expect(await taskOf(rig)).toMatchObject({
    state: "CLAIMED",
    assigneeId: other.id,
    worktree: other.name,
    reviewCyclesCurrent: 0,
    reviewCyclesTotal: 1,
  });
  expect(rig.worktrees.read(other.name, "README.md")).not.toBeNull();
  expect(rig.worktrees.read(other.name, "first.ts")).toBeNull();
  expect(rig.worktrees.read("feat-dev-issue-1", "README.md")).toBeNull();
});
