import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { type ChangeSet, NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";
import { blankGoal, type GoalRecord } from "../../../src/domain/planning/goal.ts";
import { startsNobody } from "../../../src/domain/planning/on-plan.ts";
import { isDone, NO_PLAN, type Plan } from "../../../src/domain/planning/plan.ts";
import { blankSprint, type SprintRecord } from "../../../src/domain/planning/sprint.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, aDomainEvent, anIssue } from "../../factories/an-occurrence.ts";
import { rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const goal: GoalRecord = { ...blankGoal, id: 4, repositoryId: 7, issue: 42, title: "Nights" };
const sprint = (fields: Partial<SprintRecord> = {}): SprintRecord => ({
  ...blankSprint,
  id: 5,
  repositoryId: 7,
  title: "First",
  ...fields,
});
const planned = (plan: Partial<Plan>) => aView({ plan: { ...NO_PLAN, ...plan } });
const events = ({ moves }: ChangeSet) =>
  moves.map(
    ({ machine, id, event }) => `${machine} ${id} ${event.type}${"why" in event ? `: ${event.why}` : ""}`,
  );

const labelled = (more: object = {}) =>
  aDomainEvent("issue_labeled", { label: "Goal", issue: anIssue({ labels: ["Goal"] }), ...more });

const changed = (change: "edited" | "closed" | "deleted", permitted = true) =>
  aDomainEvent("milestone_changed", { change, permitted });

describe("the label of a goal", () => {
  it("opens one on an open issue, put by a permitted person or by ourselves", () => {
    for (const who of [{}, { own: true, permitted: false }])
      expect(decide(labelled(who), aView()).moves).toMatchObject([
        { machine: "goal", id: null, event: { type: "OPEN", issue: 42, title: "Add a dark mode" } },
      ]);
  });

  it.each([
    ["not_permitted", { permitted: false }, {}],
    ["untrusted_author", { own: true, authorPermitted: false }, {}],
    ["goal_known", {}, { goal }],
    ["closed", { issue: anIssue({ state: "closed" }) }, {}],
  ])("opens none: %s", (rule, who, plan) => {
    const changes = decide(labelled(who), planned(plan));
    expect(rulesOf(changes)).toEqual([rule]);
    expect(changes.moves).toEqual([]);
  });

  it("keeps all but those that plan from starting there", () => {
    const issue = anIssue({ labels: ["goal"] });
    expect(rulesOf(startsNobody(aRole(), aView(), issue) ?? NO_CHANGES)).toEqual(["goal_issue"]);
    expect(startsNobody(aRole(), planned({ goal }), anIssue())).not.toBeNull();
    expect(startsNobody(aRole(), aView(), anIssue())).toBeNull();
    expect(startsNobody(aRole({ tools: ["create_sub_issue"] }), aView(), issue)).toBeNull();
  });
});

describe("a milestone that changes", () => {
  const open = planned({ sprints: [sprint()], openTasks: 2 });

  it.each(["edited", "closed", "deleted"] as const)("concerns nobody without a sprint when %s", (change) => {
    expect(rulesOf(decide(changed(change), aView()))).toEqual(["nobody_concerned"]);
  });

  it("asks a person when it is closed, once, and by somebody who may", () => {
    expect(events(decide(changed("closed"), open))).toEqual([
      'sprint 5 CHECKPOINT: @alice closed the milestone "First release" while 2 of its tasks are open',
    ]);
    expect(rulesOf(decide(changed("closed", false), open))).toEqual(["not_permitted"]);
    const stands = planned({ sprints: [sprint({ state: "CHECKPOINT" })] });
    expect(rulesOf(decide(changed("closed"), stands))).toEqual(["sprint_stands"]);
  });

  it("ends the sprint when it is deleted, and is followed when it is edited", () => {
    expect(events(decide(changed("deleted"), open))).toEqual([
      'sprint 5 ABORT: @alice deleted the milestone "First release"',
    ]);
    expect(rulesOf(decide(changed("edited"), open))).toEqual(["milestone_followed"]);
  });

  it("of an issue is followed, and so is its end", () => {
    const milestone = { number: 2, title: "One", dueOn: null };
    expect(
      whyOf(decide(aDomainEvent("issue_milestoned", { issue: anIssue({ milestone }) }), aView())),
    ).toContain('its milestone is "One" now');
    expect(whyOf(decide(aDomainEvent("issue_milestoned"), aView()))).toContain("no milestone any more");
  });
});

describe("the commands of a goal", () => {
  const both = planned({ goal, sprints: [sprint(), sprint({ id: 6, state: "CHECKPOINT" })], trackedOn: 42 });

  it("stop the sprints that continue, and let those continue that stand, each with who and why", () => {
    expect(events(decide(aCommand("checkpoint", "out of money"), both))).toEqual([
      "sprint 5 CHECKPOINT: @alice asked for a checkpoint: out of money",
    ]);
    expect(events(decide(aCommand("continue"), both))).toEqual(["sprint 6 CONTINUE"]);
  });

  it("change nothing where nothing can be changed, and say what can", () => {
    const stands = planned({ goal, sprints: [sprint({ state: "CHECKPOINT" })], trackedOn: 42 });
    expect(whyOf(decide(aCommand("checkpoint"), stands))).toContain("at CHECKPOINT already");
    expect(rulesOf(decide(aCommand("checkpoint"), planned({ goal })))).toEqual(["no_sprint"]);
  });

  it("end the goal, or the one sprint that has none", () => {
    expect(events(decide(aCommand("abort"), both))).toEqual(["goal 4 ABORT: @alice aborted the goal of #42"]);
    expect(events(decide(aCommand("abort", "too late"), planned({ sprints: [sprint()] })))).toEqual([
      'sprint 5 ABORT: @alice aborted the sprint "First": too late',
    ]);
  });

  it.each(["checkpoint", "abort"] as const)(
    "`%s` belongs on the tracking issue, whose number is told",
    (verb) => {
      const elsewhere = decide(aCommand(verb), planned({ sprints: [sprint()], trackedOn: 9 }));
      expect(rulesOf(elsewhere)).toEqual(["tracking_issue"]);
      expect(elsewhere.decisions[0]?.change).toBe(`say \`/flotilla ${verb}\` on #9`);
      expect(decide(aCommand(verb), aView()).decisions[0]?.change).toContain("by the label `goal`");
    },
  );
});

it("a goal is done only when something was to be done", () => {
  const none = { subIssues: 0, openSubIssues: 0, tasks: 0, openTasks: 0 };
  expect([
    isDone(none),
    isDone({ ...none, subIssues: 1 }),
    isDone({ ...none, tasks: 1 }),
    isDone({ ...none, subIssues: 2, openSubIssues: 1 }),
    isDone({ ...none, tasks: 2, openTasks: 1 }),
  ]).toEqual([false, true, true, false, false]);
});
