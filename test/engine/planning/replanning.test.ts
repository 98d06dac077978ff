import { describe, expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { HOUR } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { agentOf, answersTo, commentsOn, decisionsOn, stateOf, statusComments, taskOf } from "../look.ts";
import { labeled, said, tell, unlabeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { call, commit, complete, edit, on, onAttempt, replan, type Step, work } from "../scripts.ts";

const REASON = "These are two pieces of work.";
const SECOND = "feat-dev-issue-1.2";
const PLANNER = aRole({
  name: "planner",
  evidence: "outputs",
  triggers: [{ event: "issues.labeled", label: "plan-work" }],
  capabilities: ["read"],
  tools: [
    "create_sub_issue",
    "finalize_plan",
    "rescope_task",
    "supersede_task",
    "ask_human",
    "report_complete",
  ],
});
const OTHER = aRole({ name: "other-dev", triggers: [{ event: "issues.labeled", label: "other" }] });
const labels = (rig: Rig, issue = 1) => rig.repository.issues.get(issue)?.labels ?? [];

/** Issue 1, whose coder says after a first edit that it needs replanning. */
async function blockedTask(options: { planner?: boolean; more?: readonly Step[] } = {}): Promise<Rig> {
  const rig = await aRig({
    settings: { roles: rolesOf(aRole(), OTHER, ...(options.planner === true ? [PLANNER] : [])) },
    script: [
      {
        match: "rescope_task",
        steps: [call("rescope_task", { issue: 1, reason: "Only the parser." }), complete],
      },
      { match: "Work on issue #1 of.*other-dev", steps: [...work] },
      onAttempt(1, 2, ...work),
      on(1, edit("first.ts"), replan(REASON), ...(options.more ?? [])),
    ],
  });
  await tell(rig, labeled(rig, 1));
  return rig;
}

describe("a coder that says that its task needs replanning", () => {
  it("has the task BLOCKED with its reason, waits for a person, and keeps what it did", async () => {
    const rig = await blockedTask();
    expect(await taskOf(rig)).toMatchObject({ state: "BLOCKED", blockedReason: REASON, leaseUntil: null });
    expect(await agentOf(rig)).toMatchObject({
      state: "ESCALATED",
      category: "replanning",
      reason: `its task needs replanning: ${REASON}`,
    });
    expect(await rig.store.records.slotsInUse()).toBe(0);
    expect(rig.worktrees.read("feat-dev-issue-1", "first.ts")).not.toBeNull();
    expect(labels(rig)).toEqual(expect.arrayContaining(["needs-human", "flotilla:blocked"]));
    const [comment, ...more] = commentsOn(rig).filter((body) => body.includes("needs replanning."));
    expect(more).toEqual([]);
    expect(comment).toContain(`> ${REASON}`);
    expect(comment).not.toContain("/flotilla start");
    expect(statusComments(rig)[0]).toContain(`it needs replanning (${REASON})`);
    expect(await decisionsOn(rig)).toContain("replanning");
  });

  it("continues with an answer, or when the label is removed: the task is its own again", async () => {
    for (const act of ["answer", "label"]) {
      const rig = await blockedTask({ more: [commit, call("open_pr", { title: "A", body: "B" }), complete] });
      await tell(rig, act === "answer" ? said(rig, 1, "Only the parser.") : unlabeled(rig, 1, "needs-human"));
      expect(await stateOf(rig)).toBe("COMPLETED");
      expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", blockedReason: null });
    }
  });

  it.each(["/flotilla retry", "/flotilla start"])("has a new attempt begun by `%s`", async (command) => {
    const rig = await blockedTask();
    await tell(rig, said(rig, 1, command));
    expect(await stateOf(rig)).toBe("CANCELLED");
    expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
    expect(rig.worktrees.read(SECOND, "first.ts")).toBeNull();
    expect(rig.worktrees.read("feat-dev-issue-1", "first.ts")).toBeNull();
    expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", blockedReason: null, failedBy: [] });
  });

  it("makes room for the coder that a person names", async () => {
    const rig = await blockedTask();
    await tell(rig, said(rig, 1, "/flotilla start other-dev"));
    expect(await stateOf(rig)).toBe("CANCELLED");
    expect(await stateOf(rig, "other-dev-issue-1")).toBe("COMPLETED");
    expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", blockedReason: null });
  });

  it("is given up with `/flotilla cancel`", async () => {
    const rig = await blockedTask();
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    expect((await taskOf(rig))?.state).toBe("ABANDONED");
    expect(await stateOf(rig)).toBe("CANCELLED");
  });

  it("is not taken as it is: `/flotilla complete` is refused, and says what works", async () => {
    const rig = await blockedTask({ more: [commit, call("open_pr", { title: "A", body: "B" }), complete] });
    await tell(rig, said(rig, 1, "/flotilla complete"));
    expect(await stateOf(rig)).toBe("ESCALATED");
    const [answer] = commentsOn(rig).filter((body) => body.includes("changes nothing"));
    expect(answer).toContain("its task needs replanning, so there is no work to take as it is");
    expect(answer).toContain("Instead: say what to do differently, or `/flotilla retry`");
    expect(statusComments(rig)[0]).toContain(
      "or say `/flotilla resume`, `/flotilla retry` or `/flotilla cancel`.",
    );
    await tell(rig, said(rig, 1, "/flotilla resume"));
    expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  });

  it("is replanned by the planner that a person starts there, which is told why", async () => {
    const rig = await blockedTask({ planner: true });
    expect(commentsOn(rig).join()).toContain("- `/flotilla start planner` has **planner** replan it");
    await tell(rig, said(rig, 1, "/flotilla start planner"));
    const asked = rig.runtime.requests.flat().find(({ content }) => content.includes("BLOCKED and waits"));
    expect(asked?.content).toContain(REASON);
    expect(await stateOf(rig, "planner-issue-1")).toBe("COMPLETED");
    expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
  });
});

/** Issue 4 is a part of issue 1, whose planner has asked a person something and sleeps. */
async function blockedPart(...replans: readonly Step[]): Promise<Rig> {
  const ask = call("ask_human", { question: "Which one?", options: ["a", "b"], deadline: "2d" });
  const rig = await aRig({
    settings: { roles: rolesOf(aRole(), PLANNER) },
    issues: 5,
    script: [onAttempt(4, 2, ...work), on(4, edit("first.ts"), replan(REASON)), on(1, ask, ...replans)],
  });
  rig.repository.parents.set(4, 1);
  await tell(rig, labeled(rig, 1, { label: "plan-work" }));
  await tell(rig, labeled(rig, 4));
  return rig;
}

describe("a planner that can hear of it", () => {
  it("is woken with the reason and rescopes the task", async () => {
    const rig = await blockedPart(call("rescope_task", { issue: 4, reason: "Only the parser." }), complete);
    const comment = commentsOn(rig, 4).find((body) => body.includes("needs replanning."));
    expect(comment).toContain("`planner-issue-1` on #1 has been asked to replan it");
    expect(comment).not.toContain("@");
    const told = rig.runtime.requests.flat().filter(({ content }) => content.includes(REASON));
    expect(told.map(({ content }) => content).join()).toContain("feat-dev-issue-4 says that the task of #4");
    expect(await stateOf(rig, "planner-issue-1")).toBe("COMPLETED");
    expect(await stateOf(rig, "feat-dev-issue-4")).toBe("CANCELLED");
    expect(await stateOf(rig, "feat-dev-issue-4.2")).toBe("COMPLETED");
  });

  it("puts a smaller part in its place", async () => {
    const rig = await blockedPart(
      call("create_sub_issue", { title: "The parser", body: "Only that." }),
      call("finalize_plan"),
      call("supersede_task", { issue: 4, by: 6, reason: "It is smaller." }),
      complete,
    );
    expect(answersTo(rig).join()).toContain("#4 is given up; #6 takes its place.");
    expect((await taskOf(rig, 4))?.state).toBe("SUPERSEDED");
    expect(labels(rig, 4)).not.toContain("needs-human");
  });

  it("that does nothing about it leaves the issue with a person, who is reminded", async () => {
    const rig = await blockedPart(complete);
    expect(await stateOf(rig, "planner-issue-1")).toBe("COMPLETED");
    expect(labels(rig, 4)).toContain("needs-human");
    await rig.pass(25 * HOUR);
    expect(commentsOn(rig, 4).join()).toContain("a reminder: **feat-dev** needs a person");
  });
});

it("a crash between the report and its move leads to the same end, once", async () => {
  const rig = await aRig({ script: [on(1, edit("first.ts"), replan(REASON))] });
  rig.onCrashPoint = (name) => {
    if (name !== "turn:intent") return;
    rig.onCrashPoint = () => {};
    rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it dies", () => rig.life.over);
  expect((await taskOf(rig))?.state).toBe("CLAIMED");
  await rig.restart();
  await rig.pass(10_000);
  expect((await taskOf(rig))?.state).toBe("BLOCKED");
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(commentsOn(rig).filter((body) => body.includes("needs replanning."))).toHaveLength(1);
});

it("is refused for a report that names nothing or both, and for one that works on no task", async () => {
  const rig = await aRig({
    settings: { roles: rolesOf(aRole({ evidence: "outputs", capabilities: ["read"] })) },
    script: [
      on(
        1,
        call("report_blocked", { reason: "x" }),
        call("report_blocked", { cause: "replanning", blocker_issue: 2, reason: "x" }),
        replan(),
        complete,
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig).slice(0, 3)).toEqual([
    expect.stringContaining("blocker_issue: name the issue that blocks you"),
    expect.stringContaining("only with cause replanning leave it out"),
    expect.stringContaining("You do not work on a task that could be replanned."),
  ]);
});
