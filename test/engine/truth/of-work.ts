import type { TaskState } from "../../../src/domain/tasks/task-record.ts";
import { HOUR } from "../../factories/moment.ts";
import { approvedWork, merging } from "../merge-queue-rig.ts";
import { closed, issueOf, labeled, pullClosed, reviewed, said, tell, unlabeled } from "../people.ts";
import { coding, ROLES, ran, reviewing, reviewRig, verdict } from "../reviewer-rig.ts";
import { aRig } from "../rig.ts";
import {
  blocked,
  call,
  complete,
  edit,
  escalate,
  on,
  onAttempt,
  replan,
  review,
  slowly,
  work,
} from "../scripts.ts";
import { atWork, pullOf } from "../together/work-under-way.ts";
import {
  begun,
  coderFails,
  conflict,
  deadlock,
  followed,
  judges,
  lets,
  planned,
  redOnTheBase,
  redUnderReview,
  START_WORKS,
  says,
  stops,
  superseded,
  up,
  written,
} from "./work-rigs.ts";
import type { WorkSituation } from "./work-situation.ts";

const COMES_BY_ITSELF = /^nothing: /;
const GIVES_UP = /; `\/flotilla cancel` gives it up$/;
const MERGES = /^merge #\d+ on GitHub; /;

/** For each state of the work of an issue the ways into it. */
export const WORK: Readonly<Record<TaskState, Readonly<Record<string, WorkSituation>>>> = {
  DRAFT: {
    "by its label": {
      make: () =>
        followed(aRig({ script: [on(1, ...START_WORKS)] }), (rig) =>
          tell(rig, labeled(rig, 1, { label: "draft" }), labeled(rig, 1)),
        ),
      reason: null,
      next: /^remove the label `draft`, or say `\/flotilla start`$/,
      goesOn: async (rig) => rig.engine.handle(unlabeled(rig, 1, "draft")),
    },
    "as a part of a plan": {
      make: () => planned(call("create_sub_issue", { title: "A", body: "Do A." }), complete),
      issue: 4,
      reason: null,
      next: /`\/flotilla start`$/,
    },
  },
  UNCLAIMED: {
    "with an agent that is held": {
      make: () => followed(aRig({ script: [on(1, ...work)] }), stops, (rig) => tell(rig, labeled(rig, 1))),
      reason: null,
      next: /^nothing: its agent takes it when it starts$/,
    },
    released: {
      make: () =>
        followed(begun([onAttempt(1, 2, ...START_WORKS), on(1, blocked(2))]), says("/flotilla release")),
      reason: null,
      next: /^nothing: an agent takes it when one starts; `\/flotilla start` starts one$/,
    },
  },
  CLAIMED: {
    "by a coder at work": {
      make: () => followed(atWork(), written),
      reason: null,
      next: /^nothing: its coder continues with it$/,
    },
    "by a coder that sleeps": {
      make: () => begun([on(1, blocked(2))]),
      reason: null,
      next: /^nothing: its coder sleeps and continues later$/,
      coderTells: true,
    },
    "by a coder that needs a person": {
      make: () => begun([on(1, escalate)]),
      reason: null,
      next: /^answer its coder, which needs a person$/,
      coderTells: true,
      goesOn: says("The second one."),
    },
    "to fix a failed merge": {
      make: () =>
        approvedWork({
          settings: merging(),
          files: { "list.txt": "none\n" },
          work: { 1: { "list.txt": "one\n" } },
          script: [onAttempt(1, 2, blocked(2))],
          before: (rig) => void rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" }),
        }),
      reason: /^its coder fixes a failed merge \(.*conflict.*\), then it is reviewed again$/,
      next: COMES_BY_ITSELF,
      coderTells: true,
    },
  },
  READY_FOR_REVIEW: {
    "for a person": {
      make: () => up("is done"),
      reason: null,
      next: /^review #\d+ on GitHub$/,
      goesOn: async (rig) => rig.engine.handle(reviewed(rig, pullOf(rig), "changes_requested")),
    },
    "with an agent that reviews it": {
      make: async () => {
        const script = [coding(1), reviewing(1, slowly(HOUR, ran()))];
        const rig = await aRig({ settings: { roles: ROLES }, script });
        await rig.engine.handle(labeled(rig, 1));
        await rig.until("it is reviewed", async () => {
          await rig.engine.tick();
          return (await rig.store.records.find("agent", { role: "reviewer", state: "ACTIVE" })).length > 0;
        });
        await written(rig);
        return rig;
      },
      reason: null,
      next: /^nothing: an agent reviews it$/,
    },
  },
  REJECTED: {
    "by a person, and its coder is held": {
      make: () => followed(up("is done"), stops, judges("changes_requested")),
      reason: /^@alice reviewed #\d+: changes requested\. Please add a test\.$/,
      next: /^nothing: its coder works on it again$/,
      goesOn: lets,
    },
    "by a person, and its coder was cancelled": {
      make: () => followed(up("is done"), stops, judges("changes_requested"), says("/flotilla cancel")),
      reason: /^@alice reviewed #\d+: changes requested\. Please add a test\.$/,
      next: /^no agent works on this: `\/flotilla start \[role\]`/,
      first: lets,
    },
    "by a required check": {
      make: redUnderReview,
      reason: /build/,
      next: /^nothing: its coder works on it again$/,
      goesOn: (rig) => rig.engine.handle(said(rig, 1, "/flotilla resume")),
    },
  },
  APPROVED: {
    "for a person's merge": {
      make: () => approvedWork(),
      reason: null,
      next: MERGES,
      goesOn: (rig) => tell(rig, pullClosed(rig, pullOf(rig), { merged: true })),
    },
    "by an agent": {
      make: () => reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))]),
      reason: null,
      next: MERGES,
      goesOn: (rig) => tell(rig, pullClosed(rig, pullOf(rig), { merged: true })),
    },
  },
  INTEGRATION_FAILED: {
    "with a conflict, and its coder is held": {
      make: () => conflict("sleeps"),
      reason: /conflict/,
      next: /^nothing: its coder fixes that, then it is reviewed again$/,
      goesOn: says("/flotilla resume"),
    },
    "with a conflict, and nobody fixes it": {
      make: () => followed(conflict("is done"), says("/flotilla cancel")),
      reason: /conflict/,
      next: /^no agent is fixing this: `\/flotilla start \[role\]`/,
      first: lets,
    },
    "with a red check": { make: redOnTheBase, reason: /build/, next: COMES_BY_ITSELF, goesOn: lets },
  },
  BLOCKED: {
    "by a review deadlock, and its coder sleeps": {
      make: () => deadlock(review),
      reason: /^rejected once \(review_deadlock\)$/,
      next: GIVES_UP,
    },
    "by a review deadlock, and its coder is done": {
      make: () => deadlock(complete),
      reason: /^rejected once \(review_deadlock\)$/,
      next: GIVES_UP,
    },
    "by two coders that failed": {
      make: coderFails,
      reason: /^it needs replanning \(coders_failed\)$/,
      next: GIVES_UP,
    },
    "by its coder's word": {
      make: () => begun([onAttempt(1, 2, ...START_WORKS), on(1, edit(), replan("These are two."))]),
      reason: /^it needs replanning \(These are two\.\)$/,
      next: GIVES_UP,
    },
  },
  MERGED: {
    "by a person": {
      make: () =>
        followed(approvedWork(), (rig) => tell(rig, pullClosed(rig, pullOf(rig), { merged: true }))),
      reason: null,
      next: /^nothing: the work is done$/,
    },
    "by Flotilla": {
      make: () => approvedWork({ settings: merging() }),
      reason: null,
      next: /^nothing: the work is done$/,
    },
    "with a person's pull request": {
      make: () => followed(begun([on(1, blocked(2))]), (rig) => tell(rig, closed(rig, 1, { merged: 9 }))),
      reason: null,
      next: /^nothing: the work is done$/,
    },
  },
  SUPERSEDED: {
    "by another issue": {
      make: superseded,
      issue: 2,
      reason: /^#3 takes its place: Smaller\.$/,
      next: /^nothing: another issue takes its place$/,
    },
  },
  ABANDONED: {
    "with its issue": {
      make: () =>
        followed(begun([onAttempt(1, 2, ...START_WORKS), on(1, blocked(2))]), (rig) =>
          tell(rig, closed(rig, 1)),
        ),
      first: async (rig) => void Object.assign(issueOf(rig, 1), { state: "open" }),
      reason: /^@alice closed the issue$/,
      next: /^to start again, say `\/flotilla start` on the issue \(reopen it first if it is closed\)$/,
    },
    "by a person, in place of a new plan": {
      make: () =>
        followed(begun([onAttempt(1, 2, ...START_WORKS), on(1, edit(), replan())]), says("/flotilla cancel")),
      reason: /^@alice gave it up$/,
      next: /^to start again, say `\/flotilla start` on the issue \(reopen it first if it is closed\)$/,
    },
  },
};
