import type { OF_GUARDS } from "../../../src/domain/decisions/of-guards.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { blankGoal } from "../../../src/domain/planning/goal.ts";
import { NO_REPLANNER } from "../../../src/domain/planning/replanning.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";
import { blankReviewLease } from "../../../src/domain/review/review-lease.ts";
import { personAs } from "../../../src/domain/review/reviewer.ts";
import type { TaskEvent } from "../../../src/domain/tasks/task-event.ts";
import { newTaskRecord, type TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { HOUR } from "../../factories/moment.ts";
import { anAgent, aRun, aTask } from "../../factories/records.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { limitsOf } from "../limits-of.ts";
import { taskOf } from "../look.ts";
import { closed, labeled, reviewed, said, tell } from "../people.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import { blocked, edit, on, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";
import { type Cause, caused } from "./cause.ts";
import { BASE, refused } from "./refused.ts";

const [A, B] = ["a".repeat(40), "b".repeat(40)];
const settings = someSettings();

const ofSprint = { ...blankSprint, repositoryId: 7 };
const ofGoal = { ...blankGoal, repositoryId: 7 };
const agent = { ...anAgent({ state: "SLEEPING" }), name: "feat-dev-issue-1", issue: 1 };
const ended = { ...anAgent({ state: "COMPLETED" }), issue: 1 };
const newAgent = { ...agent, name: "feat-dev-issue-1.2", attempt: 2 };
const entry = { assignedTo: null };
const block = { ...BASE, type: "BLOCKED", blocker: 2, found: "open", cycle: null, reason: "x" } as const;
const active = { ...anAgent({ state: "ACTIVE" }), issue: 1 };
const ofTask = (record: Partial<TaskRecord>, event: TaskEvent) =>
  refused("task", { ...aTask({ assigneeId: null, line: 1, ...record }), issue: 1 }, event);
const taking = { ...BASE, agentId: 1, line: 1, worktree: "w", leaseUntil: BASE.at + HOUR };
const verdict = { ...BASE, ...personAs(person("bob")), author: "alice", commit: A, leaseToken: null };

/** A real cause of each refusal of a machine; moves that a newer state overtook are handed to the write path as they are. */
export const CAUSES_OF_GUARDS: Readonly<Record<keyof typeof OF_GUARDS, Cause>> = {
  answered: refused(
    "sprint",
    { ...ofSprint, dueAt: 1, answeredDueAt: 1 },
    { ...BASE, type: "CHECKPOINT", cause: "due", why: "it is due" },
  ),
  asleep: refused("agent", agent, { ...BASE, type: "COMPLETE", cause: "evidence", summary: "Done." }),
  blocker_closed: refused("agent", active, { ...block, found: "closed" }),
  blocker_missing: refused("agent", active, { ...block, found: "missing" }),
  blockers_unread: caused({}, (rig) => {
    const unavailable = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
    rig.github.failNext("blockedBy", unavailable, "before");
    rig.github.failNext("blockedBy", unavailable, "before");
    return tell(rig, labeled(rig, 1));
  }),
  budget: caused({
    settings: { repositoryPerDay: { maxCostUsd: undefined, maxAgents: 0 } },
    script: [on(1, ...work)],
  }),
  changes_requested: caused({ script: [on(1, ...work)] }, async (rig) => {
    await tell(rig, labeled(rig, 1));
    const { id: taskId = 0, reviewCommit } = (await taskOf(rig)) ?? {};
    const asked = {
      agentId: null,
      ...personAs(person("alice")),
      approves: false,
      body: "",
      comments: [],
      evidence: [],
    };
    await rig.store.verdicts.add({ ...asked, taskId, commit: reviewCommit ?? "", createdAt: BASE.at });
    await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  }),
  checks: ofTask(
    { state: "APPROVED", reviewCommit: A },
    { ...BASE, type: "MERGE", head: A, checksGreen: false, mergeCommit: B },
  ),
  cycle: refused("agent", active, { ...block, cycle: ["#1", "#2", "#1"] }),
  descendant: refused("agent", active, { ...block, found: "part" }),
  evidence: refused(
    "agent",
    { ...agent, ...anAgent({ state: "CREATED" }), issue: 1 },
    { ...BASE, type: "COMPLETE", cause: "evidence", summary: "Done." },
  ),
  extensions: refused(
    "agent",
    { ...anAgent({ state: "ESCALATED", breaker: "max_tokens", extensions: 2 }), issue: 1 },
    { ...BASE, type: "RESUME", holders: [], grant: null },
  ),
  first_to_fail: ofTask({}, { ...BASE, type: "BLOCK", cause: "coders_failed", failed: 1 }),
  held: caused({ script: [on(1, blocked(2), ...work)] }, async (rig) => {
    await tell(rig, said(rig, 1, "/flotilla pause"));
    await tell(rig, closed(rig, 2));
  }),
  no_commit: ofTask({}, { ...BASE, type: "REQUEST_REVIEW", commit: null }),
  no_expiry: refused(
    "review_lease",
    { ...blankReviewLease, taskId: 1 },
    {
      ...BASE,
      type: "CLAIM",
      taskId: 1,
      holderId: 1,
      authorId: 2,
      leaseUntil: BASE.at,
    },
  ),
  no_reason: ofTask({}, { ...BASE, type: "BLOCK", cause: "replanning", reason: " " }),
  no_review: caused({}, (rig) => tell(rig, said(rig, 1, "/flotilla start reviewer"))),
  no_such_transition: refused("agent", ended, { ...BASE, type: "CANCEL", why: "late", quiet: false }),
  no_tasks: refused("sprint", ofSprint, { ...BASE, type: "TASKS_DONE", tasks: 0, open: 0 }),
  not_due: refused("sprint", ofSprint, { ...BASE, type: "CHECKPOINT", cause: "due", why: "it is due" }),
  not_held: refused("agent", agent, { ...BASE, type: "RESUME", holders: ["person"], grant: null }),
  not_in_work: refused("agent", active, {
    ...BASE,
    type: "ESCALATE",
    reason: "x",
    category: "replanning",
    question: null,
    breaker: null,
    replanning: { reason: "x", replanner: NO_REPLANNER },
  }),
  not_rejected: ofTask({}, { ...BASE, type: "BLOCK", cause: "review_deadlock", maxCycles: 5 }),
  not_reopenable: refused("agent", null, {
    ...BASE,
    type: "REOPEN",
    newAgent,
    entry,
    previous: { ...agent, state: "ESCALATED" },
    why: "again",
  }),
  not_revivable: refused("agent", null, { ...BASE, type: "REVIVE", newAgent, entry, previous: ended }),
  nothing_to_resume: refused("run", aRun({ agentId: 1, issue: 1, state: "paused", remembered: null }), {
    ...BASE,
    type: "RESUME",
  }),
  open_blocker: caused({}, (rig) => {
    rig.repository.blockedBy.set(1, new Set([2]));
    return tell(rig, labeled(rig, 1));
  }),
  open_sub_issues: refused("goal", ofGoal, {
    ...BASE,
    type: "COMPLETE",
    openSubIssues: 1,
    openTasks: 0,
  }),
  open_tasks: refused("sprint", ofSprint, { ...BASE, type: "TASKS_DONE", tasks: 2, open: 1 }),
  other_coder: ofTask({ state: "REJECTED" }, { ...taking, type: "RECLAIM", line: 2, maxCycles: 5 }),
  other_commit: ofTask(
    { state: "READY_FOR_REVIEW", reviewCommit: B },
    { ...verdict, type: "APPROVE", reviewers: 1 },
  ),
  own_issue: refused("agent", active, { ...block, blocker: 1 }),
  own_work: ofTask(
    { state: "READY_FOR_REVIEW", reviewCommit: A },
    { ...verdict, type: "APPROVE", reviewers: 1, reviewer: "alice" },
  ),
  provider: caused(
    {
      script: [{ ...on(1), steps: [{ error: { status: 429, message: "Slow down." } }] }, on(2, ...work)],
    },
    async (rig) => tell(rig, labeled(rig, 2)),
  ),
  review: refused(
    "agent",
    { ...agent, sleepReason: "review" },
    { ...BASE, type: "EXPIRE", waited: "a review" },
  ),
  review_deadlock: ofTask(
    { state: "REJECTED", reviewCyclesCurrent: 5 },
    { ...taking, type: "RECLAIM", maxCycles: 5 },
  ),
  room: caused(
    { settings: { sandbox: { ...settings.sandbox, memoryBytes: Number.MAX_SAFE_INTEGER } } },
    (rig) => tell(rig, labeled(rig, 1)),
  ),
  rounds_left: ofTask(
    { state: "REJECTED" },
    { ...BASE, type: "BLOCK", cause: "review_deadlock", maxCycles: 5 },
  ),
  same_coder: ofTask({ state: "REJECTED" }, { ...taking, type: "REASSIGN" }),
  same_commit: ofTask(
    { state: "READY_FOR_REVIEW", reviewCommit: A },
    { ...BASE, type: "NEW_COMMIT", commit: A },
  ),
  second_attempt: refused(
    "agent",
    { ...anAgent({ state: "CREATED" }), issue: 1, dueAt: BASE.at + HOUR },
    { ...BASE, actor: "flotilla", type: "START", assignedTo: null },
  ),
  slot: caused({
    settings: { runtime: { ...settings.runtime, maxConcurrentAgents: 0 } },
    script: [on(1, ...work)],
  }),
  stale_holder: refused(
    "review_lease",
    { ...blankReviewLease, taskId: 1, state: "HELD", holderId: 1, leaseUntil: BASE.at + HOUR, token: 3 },
    { ...BASE, type: "VERDICT", token: 2 },
  ),
  storm: caused({
    settings: { storm: { ...settings.storm, maxStartsPerIssuePerHour: 0 } },
    script: [on(1, ...work)],
  }),
  turn_ceiling: caused(
    { settings: limitsOf({ maxTurns: 1 }), script: [on(1, edit(), edit("b.ts"))] },
    (rig) => tell(rig, said(rig, 1, "/flotilla continue 201")),
  ),
};

/** The other reasons for which something is held, or waits for another issue: each has words of its own. */
export const MORE_CAUSES: readonly (readonly [name: string, reason: RegExp, cause: Cause])[] = [
  [
    "a scope that is paused",
    /paused/,
    async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      const scope = "all" as const;
      await rig.engine.operations.pauseScope({ scope, by: "operator:root", reason: "let me look" });
      await tell(rig, labeled(rig, 1));
      return rig;
    },
  ],
  [
    "a sprint at its checkpoint",
    /CHECKPOINT/,
    async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
      const sprint = await rig.store.records.insert("sprint", {
        ...blankSprint,
        repositoryId: 7,
        state: "CHECKPOINT",
        title: "First release",
        reason: "let me look",
      });
      const { id: _, ...task } = { ...newTaskRecord, repositoryId: 7, issue: 1, title: "x" };
      await rig.store.records.insert("task", { ...task, id: 0, sprintId: sprint.id });
      await tell(rig, labeled(rig, 1));
      return rig;
    },
  ],
];
