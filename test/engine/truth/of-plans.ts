import type { GoalState } from "../../../src/domain/planning/goal.ts";
import type { Milestone } from "../../../src/domain/planning/milestone.ts";
import type { SprintState } from "../../../src/domain/planning/sprint.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { milestoneChanged, milestoned, partChanged } from "../plans.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, edit, on, onAttempt, slowly, work } from "../scripts.ts";
import { gitGoes, gitIsBack } from "./git-away.ts";
import type { PlanSituation } from "./plan-situation.ts";

const FIRST: Milestone = { number: 2, title: "First release", dueOn: null };
const DUE: Milestone = { ...FIRST, dueOn: "2026-01-02T08:00:00Z" };
const AFTER_DUE = Date.parse("2026-01-03T12:00:00Z");

const says = (issue: number, words: string) => (rig: Rig) => tell(rig, said(rig, issue, words));

/** The agent of issue 1 sleeps for issue 2; both are in a milestone. */
async function sprint(milestone = FIRST): Promise<Rig> {
  const rig = await aRig({
    script: [onAttempt(1, 2, slowly(HOUR, edit())), on(1, blocked(2), ...work)],
    issues: 9,
  });
  milestoned(rig, 1, milestone);
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** The same with a goal that issue 9 tracks, of which issue 1 is a part; without a milestone it has no sprint. */
async function goal(milestone: Milestone | null = FIRST): Promise<Rig> {
  const rig = await aRig({
    script: [onAttempt(1, 2, slowly(HOUR, edit())), on(1, blocked(2), ...work)],
    issues: 9,
  });
  for (const number of [1, 9]) milestoned(rig, number, milestone);
  await tell(rig, labeled(rig, 9, { label: "goal" }), partChanged(rig, 9, 1), labeled(rig, 1));
  return rig;
}

async function then(made: Promise<Rig>, ...acts: readonly ((rig: Rig) => Promise<unknown>)[]): Promise<Rig> {
  const rig = await made;
  for (const act of acts) await act(rig);
  return rig;
}

const pastDue = (rig: Rig) => rig.pass(AFTER_DUE - rig.clock.now());

/** So many agents of the goal meet the same error that it counts as an incident. */
async function incident(): Promise<Rig> {
  const rig = await aRig({ issues: 9, script: [1, 2, 3].map((issue) => on(issue, ...work)) });
  gitGoes(rig);
  for (const number of [1, 2, 3, 9]) milestoned(rig, number, FIRST);
  await tell(rig, labeled(rig, 9, { label: "goal" }));
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  for (let minute = 0; minute < 30; minute += 1) await rig.pass(MINUTE);
  return rig;
}

const GOAL = { issue: 9, part: 1 };
const SPRINT = { issue: 1, part: 1 };
const STOPS =
  /^nothing: it is complete when .*; `\/flotilla checkpoint` on #\d stops it, `\/flotilla abort` on #\d ends it/;
const CONTINUES =
  /^`\/flotilla continue` on #\d lets it continue, `\/flotilla abort` on #\d ends it and cancels its agents$/;
const DONE = /^nothing: it is done$/;
const OVER = /^nothing: it has ended; .*`\/flotilla start` there$/;

/** For each state of a goal the ways into it. */
export const GOALS: Readonly<Record<GoalState, Readonly<Record<string, PlanSituation>>>> = {
  IN_PROGRESS: {
    "with a sprint": { ...GOAL, make: () => goal(), reason: null, next: STOPS },
    "without a sprint": {
      ...GOAL,
      make: () => goal(null),
      reason: null,
      part: null,
      next: /^nothing: it is complete when all sub-issues are closed and all tasks have ended; `\/flotilla abort` on #9 ends it$/,
    },
    "at a checkpoint of a person": {
      ...GOAL,
      shown: "CHECKPOINT",
      make: () => then(goal(), says(9, "/flotilla checkpoint let us look")),
      reason: /^sprint "First release": @alice asked for a checkpoint: let us look$/,
      next: CONTINUES,
    },
    "at a checkpoint for its due date": {
      ...GOAL,
      shown: "CHECKPOINT",
      make: () => then(goal(DUE), pastDue),
      reason: /^sprint "First release": its due date passed/,
      next: CONTINUES,
    },
    "at a checkpoint for its milestone, which was closed": {
      ...GOAL,
      shown: "CHECKPOINT",
      make: () => then(goal(), (rig) => tell(rig, milestoneChanged(rig, FIRST, "closed"))),
      reason: /^sprint "First release": @alice closed the milestone/,
      next: CONTINUES,
    },
    "at a checkpoint for an incident": {
      ...GOAL,
      shown: "CHECKPOINT",
      make: incident,
      first: gitIsBack,
      reason: /^sprint "First release": .*incident/,
      next: CONTINUES,
    },
    "whose milestone was deleted": {
      ...GOAL,
      make: () => then(goal(), (rig) => tell(rig, milestoneChanged(rig, FIRST, "deleted"))),
      reason: null,
      part: null,
      next: /; `\/flotilla abort` on #9 ends it$/,
    },
  },
  COMPLETED: {
    "with its last part": {
      ...GOAL,
      make: () => then(goal(), (rig) => tell(rig, closed(rig, 1))),
      reason: null,
      next: DONE,
    },
  },
  ABORTED: {
    "by a person": {
      ...GOAL,
      make: () => then(goal(), says(9, "/flotilla abort no money")),
      reason: /^@alice aborted the goal of #9: no money$/,
      next: OVER,
    },
    "by the operator": {
      ...GOAL,
      make: () =>
        then(goal(), async (rig) => {
          const act = {
            repository: "acme/shop",
            issue: 9,
            verb: "abort",
            id: "a-1",
            by: "operator:ann",
          } as const;
          await rig.engine.operations.steerPlan({ ...act, reason: null });
          await rig.idle();
        }),
      reason: /^the operator aborted the goal of #9$/,
      next: OVER,
    },
  },
};

/** For each state of a sprint without a goal the ways into it. */
export const SPRINTS: Readonly<Record<SprintState, Readonly<Record<string, PlanSituation>>>> = {
  IN_PROGRESS: {
    "with an agent that sleeps": { ...SPRINT, make: () => sprint(), reason: null, next: STOPS },
    "that was continued": {
      ...SPRINT,
      make: () => then(sprint(), says(1, "/flotilla checkpoint"), says(1, "/flotilla continue")),
      reason: null,
      next: STOPS,
    },
  },
  CHECKPOINT: {
    "by a person": {
      ...SPRINT,
      make: () => then(sprint(), says(1, "/flotilla checkpoint")),
      reason: /^@alice asked for a checkpoint$/,
      next: CONTINUES,
    },
    "by its due date": {
      ...SPRINT,
      make: () => then(sprint(DUE), pastDue),
      reason: /^its due date passed/,
      next: CONTINUES,
    },
  },
  COMPLETED: {
    "with its last work": {
      ...SPRINT,
      make: () => then(sprint(), (rig) => tell(rig, closed(rig, 1))),
      reason: null,
      next: DONE,
    },
  },
  ABORTED: {
    "by a person": {
      ...SPRINT,
      make: () => then(sprint(), says(1, "/flotilla abort")),
      reason: /^@alice aborted the sprint "First release"$/,
      next: OVER,
    },
  },
};
