import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { aRole } from "../../factories/a-role.ts";
import { MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { addIssue, person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { agentOf, answersTo, commentsOn, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, complete, escalate, on, onAttempt, type Step, work } from "../scripts.ts";

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
    "read_issue",
    "report_complete",
  ],
});
const settings = { roles: rolesOf(aRole(), PLANNER) };
const part = (title: string, more: object = {}) =>
  call("create_sub_issue", { title, body: `Do ${title}.`, ...more });
const final = call("finalize_plan");

/** A planner on issue 1; what it opens begins with 4. */
async function planned(...steps: readonly Step[]): Promise<Rig> {
  const script = [on(1, ...steps), on(4, ...work), on(5, ...work)];
  const rig = await aRig({ settings, script });
  await tell(rig, labeled(rig, 1, { label: "plan-work" }));
  return rig;
}

/** Lets so many minutes pass, and everything happen that they bring. */
async function minutes(rig: Rig, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await rig.quiet();
    await rig.work(MINUTE);
  }
  await rig.quiet();
}

it("its parts are sub-issues and drafts, whose coders wait", async () => {
  const rig = await planned(part("A"), part("B", { after: [4] }), escalate);
  expect(await stateOf(rig, "planner-issue-1")).toBe("ESCALATED");
  expect(rig.repository.issues.get(4)?.body).toContain("Opened by **planner** as a part of #1.");
  expect([...rig.repository.parents]).toEqual([
    [4, 1],
    [5, 1],
  ]);
  expect([...(rig.repository.blockedBy.get(5) ?? [])]).toEqual([4]);
  for (const issue of [4, 5]) {
    expect((await taskOf(rig, issue))?.state).toBe("DRAFT");
    expect(rig.repository.issues.get(issue)?.labels).toContain("flotilla:draft");
  }
  const planner = await agentOf(rig, "planner-issue-1");
  expect(await agentOf(rig, "feat-dev-issue-4")).toMatchObject({
    state: "CREATED",
    parentAgentId: planner.id,
  });
  expect(statusComments(rig, 4)[0]).toContain("its task is DRAFT");
});

it("they begin in their order once the plan is final", async () => {
  const rig = await planned(part("A"), part("B", { after: [4] }), final, complete);
  expect(answersTo(rig)[2]).toContain("#4, #5 begin in their order");
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
  expect(await stateOf(rig, "feat-dev-issue-5")).toBe("CREATED");
  expect(statusComments(rig, 5)[0]).toContain("#4");
  await tell(rig, closed(rig, 4));
  await rig.pass(300_000);
  expect(await stateOf(rig, "feat-dev-issue-5")).toBe("COMPLETED");
});

it("a plan that leaves drafts behind is not complete: nobody would ever work on them", async () => {
  const rig = await planned(part("A"), complete, after("still drafts", final), complete);
  expect(toldTo(rig).at(-1)).toContain(
    "No agent works on #4: your sub-issues are still drafts. Use `finalize_plan`",
  );
  expect(await stateOf(rig, "planner-issue-1")).toBe("COMPLETED");
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
});

it("a plan waits for a part that GitHub's limit holds up, and then for its end", async () => {
  const script = [on(1, part("A"), complete, after("still drafts", final), complete), on(4, ...work)];
  const rig = await aRig({ settings, script });
  const limited = new GitHubError("rate_limited", "the limit is reached", 403, {
    consequence: "park",
    retryAt: rig.clock.now() + 10 * MINUTE,
  });
  rig.github.failNext("createIssue", limited, "before");
  await rig.engine.handle(labeled(rig, 1, { label: "plan-work" }));
  await minutes(rig, 5);
  expect([...rig.repository.parents]).toEqual([]);
  expect(await stateOf(rig, "planner-issue-1")).toBe("SLEEPING");
  await minutes(rig, 30);
  await rig.idle();
  expect(await stateOf(rig, "planner-issue-1")).toBe("COMPLETED");
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
});

it("`/flotilla start` on a draft begins that one alone", async () => {
  const rig = await planned(part("A"), part("B"), escalate);
  await tell(rig, said(rig, 5, "/flotilla start"));
  expect(await stateOf(rig, "feat-dev-issue-5")).toBe("COMPLETED");
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("CREATED");
});

it("opens one part of a title, none after what it has not opened, none for no coder, and no more than the limit", async () => {
  const rig = await planned(
    part("A"),
    part("A"),
    part("B", { after: [2] }),
    part("B", { role: "planner" }),
    part("B"),
    part("C"),
    part("D"),
    final,
    final,
    complete,
  );
  const opened = [...rig.repository.issues.values()].filter(({ isPullRequest }) => !isPullRequest);
  expect(opened.slice(3).map(({ title }) => title)).toEqual(["A", "B", "C"]);
  const answers = answersTo(rig);
  expect(answers[2]).toContain("#2 is no sub-issue that you have opened");
  expect(answers[3]).toContain("There is no role planner that writes code; there are: feat-dev.");
  expect(answers[6]).toContain("3 is the limit (policy.max_outputs.issues)");
  expect(answers[8]).toContain("None of the sub-issues that you have opened is a draft.");
});

it("a crash between the issue and what follows from it opens no second one", async () => {
  const rig = await aRig({ settings, script: [on(1, part("A"), { ...complete, after: "interrupted" })] });
  rig.onCrashPoint = (name) => {
    if (name !== "effect:create_sub_issue") return;
    rig.onCrashPoint = () => {};
    rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1, { label: "plan-work" }));
  await rig.until("it dies", () => rig.life.over);
  await rig.restart();
  await rig.pass(10_000);
  expect(rig.repository.issues.size).toBe(4);
  expect((await taskOf(rig, 4))?.state).toBe("DRAFT");
  expect(await rig.store.records.find("agent", { issue: 4 })).toHaveLength(1);
});

/** A task of issue 4, a part of issue 1, that two coders failed at. */
async function blockedPart(...steps: readonly Step[]): Promise<Rig> {
  const script = [onAttempt(4, 2, ...work), on(1, ...steps), on(4, call("escalate_to_human", STUCK))];
  const rig = await aRig({ settings, script, issues: 5 });
  addIssue(rig.repository, { title: "Other", body: "Other.", author: person("alice") });
  rig.repository.parents.set(4, 1);
  await tell(rig, labeled(rig, 4));
  const task = await taskOf(rig, 4);
  if (task === undefined) throw new Error("there is no task");
  await rig.store.records.save("task", task, {
    ...task,
    state: "BLOCKED",
    blockedReason: "coders_failed",
    leaseUntil: null,
  });
  await tell(rig, labeled(rig, 1, { label: "plan-work" }));
  return rig;
}
const STUCK = { reason: "Unclear", category: "requirements" };

it("a blocked part is rescoped: a new attempt is told what to do otherwise", async () => {
  const rig = await blockedPart(call("rescope_task", { issue: 4, reason: "Only the parser." }), complete);
  expect(answersTo(rig)[0]).toContain("#4 is free again");
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("CANCELLED");
  expect(await agentOf(rig, "feat-dev-issue-4.2")).toMatchObject({ state: "COMPLETED" });
  const first = rig.runtime.requests.flat().find(({ content }) => content.includes("This is attempt 2"));
  expect(first?.content).toContain("planner-issue-1 rescoped it: Only the parser.");
});

it("a blocked part is superseded by an open issue, its agent ends, and people read by which", async () => {
  const steps = [
    call("supersede_task", { issue: 4, by: 4, reason: "x" }),
    call("supersede_task", { issue: 4, by: 5, reason: "Smaller." }),
    complete,
  ];
  const rig = await blockedPart(...steps);
  expect(answersTo(rig)[0]).toContain("does not take its own place");
  expect(await taskOf(rig, 4)).toMatchObject({
    state: "SUPERSEDED",
    supersededBy: 5,
    rescopeReason: "Smaller.",
  });
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("CANCELLED");
  expect(commentsOn(rig, 4).join()).toContain("#5 takes its place");
  expect(rig.repository.issues.get(4)?.labels).toContain("flotilla:superseded");
});

it("replans nothing but what is blocked, and only its own issue's", async () => {
  const rig = await planned(
    call("rescope_task", { issue: 2, reason: "x" }),
    call("rescope_task", { issue: 1, reason: "x" }),
    call("supersede_task", { issue: 99, by: 2, reason: "x" }),
    complete,
  );
  const [foreign, own, missing] = answersTo(rig);
  expect(foreign).toContain("#2 is not a sub-issue of your issue");
  expect(own).toContain("The task of #1 is missing; only a blocked one is replanned");
  expect(missing).toContain("GitHub could not be asked");
});

it("its parts are in its issue's milestone, and so in the sprint of the goal that it plans", async () => {
  const script = [on(1, part("A"), final, complete), on(4, ...work)];
  const rig = await aRig({ settings, script });
  milestoned(rig, 1, { number: 2, title: "First release", dueOn: null });
  await tell(rig, labeled(rig, 1, { label: "goal" }), labeled(rig, 1, { label: "plan-work" }));
  expect(rig.repository.issues.get(4)?.milestone).toMatchObject({ number: 2 });
  // As the webhook of its opening tells, or the next look.
  await rig.pass(5 * MINUTE);
  await takeIn(rig);
  expect(await rig.store.records.find("sprint", { milestone: 2 })).toMatchObject([{ goalId: 1 }]);
  expect(await taskOf(rig, 4)).toMatchObject({ sprintId: 1 });
});
