import { expect, it } from "vitest";
import {
  agentOf,
  answersTo,
  commentsOn,
  historyOf,
  runOf,
  stateOf,
  statusComments,
  taskOf,
  toldTo,
} from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { editedPlan, planCommentOf, planFirst, plans } from "../planning.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, type Step, work } from "../scripts.ts";

const thenWorks: readonly Step[] = [after("You are awake again", edit()), ...work.slice(1)];

async function planned(steps: readonly Step[] = thenWorks, first: readonly Step[] = [plans()]): Promise<Rig> {
  const rig = await aRig({ settings: planFirst, script: [on(1, ...first, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("the agent reads, plans and sleeps for a person's approval, and keeps its task", async () => {
  const rig = await planned([], [call("read_issue"), plans()]);
  expect(toldTo(rig)[0]).toContain("A plan comes first");
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", planFirst: true });
  expect(await runOf(rig)).toMatchObject({ state: "waiting_approval", plan: "1. Read.\n2. Build." });
  expect((await taskOf(rig))?.state).toBe("CLAIMED");
  expect(commentsOn(rig)).toEqual([expect.stringContaining("```\n1. Read.\n2. Build.\n```")]);
  expect(commentsOn(rig)[0]).toContain("- [ ] Approve this plan");
  expect(statusComments(rig)[0]).toContain("the plan");
});

it("a changing tool is refused with that reason before the plan, and nothing at all runs after it", async () => {
  const rig = await planned(
    [edit("late.ts"), call("read_issue")],
    [edit(), call("comment", { body: "Hi" }), plans()],
  );
  expect(answersTo(rig).slice(0, 2)).toEqual([
    expect.stringContaining("plan_first: a person approves your plan before anything is changed"),
    expect.stringContaining("plan_first"),
  ]);
  const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
  expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    "edit denied",
    "comment denied",
    "submit_plan success",
    "edit denied",
  ]);
});

it("a report passes without a plan", async () => {
  const rig = await planned([], [call("escalate_to_human", { reason: "Unclear", category: "requirements" })]);
  expect(await stateOf(rig)).toBe("ESCALATED");
});

it("`/flotilla approve` lets the work begin, by this plan; the pull request shows it", async () => {
  const rig = await planned();
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(toldTo(rig)[1]).toContain("@alice approves your plan. Work by it now.");
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(planCommentOf(rig).body).toContain("**Approved by @alice**");
  expect(planCommentOf(rig).body).not.toContain("[ ]");
  const [pull] = rig.repository.pulls.values();
  expect(pull?.body).toContain("<summary>The plan, approved by alice</summary>");
  expect(pull?.body).toContain("2. Build.");
});

it("its box does the same", async () => {
  const rig = await planned();
  await tell(
    rig,
    editedPlan(rig, (body) => body.replace("- [ ]", "- [x]")),
  );
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("an edited plan is what was approved: it is told, kept, and shown", async () => {
  const rig = await planned();
  const before = await rig.store.approvals.asked((await agentOf(rig)).id, (await agentOf(rig)).token);
  await tell(
    rig,
    editedPlan(rig, (body) => body.replace("2. Build.", "2. Build it small.")),
  );
  expect(toldTo(rig)[1]).toContain("Work by this one, not by yours:\n\n1. Read.\n2. Build it small.");
  expect((await runOf(rig))?.plan).toBe("1. Read.\n2. Build it small.");
  const kept = await rig.store.approvals.plan((await agentOf(rig)).id);
  expect(kept).toMatchObject({ input: "1. Read.\n2. Build it small.", decidedBy: "alice", state: "granted" });
  expect(kept?.hash).not.toBe(before[0]?.hash);
  expect(planCommentOf(rig).body).toContain("2. Build it small.");
  const [pull] = rig.repository.pulls.values();
  expect(pull?.body).toContain("2. Build it small.");
});

it("somebody who may not approves nothing by editing, and the comment is put right", async () => {
  const rig = await planned();
  await tell(
    rig,
    editedPlan(rig, (body) => body.replace("- [ ]", "- [x]").replace("Build", "Mine"), "eve"),
  );
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(planCommentOf(rig).body).toContain("2. Build.");
  expect(planCommentOf(rig).body).toContain("- [ ] Approve this plan");
});

it("`/flotilla deny` sends it back: the agent plans again, and changes nothing before", async () => {
  const rig = await planned([
    after("sends your plan back", edit()),
    plans(),
    plans("Another way."),
    after("approves your plan", edit()),
    ...work.slice(1),
  ]);
  await tell(rig, said(rig, 1, "/flotilla deny too big"));
  expect(toldTo(rig)[1]).toContain("@alice sends your plan back. Why: too big.");
  const [, , denied, same] = answersTo(rig);
  expect([denied, same].join()).toContain("A person sent exactly this plan back: too big. Change it.");
  expect(await runOf(rig)).toMatchObject({ state: "waiting_approval", plan: "Another way." });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("the issue's label `plan` asks for the same of one role's agent", async () => {
  const rig = await aRig({ script: [on(1, edit(), plans(), ...thenWorks)] });
  await tell(rig, labeled(rig, 1, { label: "plan" }), labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ sleepReason: "approval", planFirst: true });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("a plan that nobody was asked about before the host stopped is submitted again", async () => {
  const rig = await aRig({
    settings: planFirst,
    script: [on(1, plans(), after("interrupted by a restart", edit()), plans(), ...thenWorks)],
  });
  rig.onCrashPoint = (name) => {
    if (name !== "turn:ended") return;
    rig.onCrashPoint = () => {};
    rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it dies", () => rig.life.over);
  await rig.restart();
  await rig.pass(10_000);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  expect(answersTo(rig).join()).toContain("plan_first");
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("the labels of a role and of planning, put together: the coder plans, and nobody is told to cancel it", async () => {
  const rig = await aRig({ script: [on(1, plans(), ...thenWorks)] });
  const shown: string[] = [];
  rig.onCall = () => void shown.push(statusComments(rig).join());
  const preparing = Promise.withResolvers<void>();
  const prepare = methodOf(rig.worktrees, "prepare");
  rig.worktrees.prepare = async (...given) => {
    await preparing.promise;
    return prepare(...given);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("the coder begins", async () => (await stateOf(rig)) === "ACTIVE");
  await rig.engine.handle(labeled(rig, 1, { label: "plan" }));
  preparing.resolve();
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", planFirst: true });
  expect([...shown, ...statusComments(rig)].join()).not.toContain("started without a plan");
});
