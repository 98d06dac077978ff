import type { Role } from "../agents/role.ts";
import type { Verb } from "../commands/command.ts";
import type { DomainEventOf, IssueFacts } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { personNamed } from "../status/person-named.ts";
import { dueAtOf } from "./milestone.ts";
import { GOAL_LABEL, isGoalLabel, steeredOn } from "./plan.ts";

/** What follows from each event of milestones. */
export const PLAN_HANDLERS = {
  issue_milestoned: onIssueMilestoned,
  milestone_changed: onMilestoneChanged,
};

/** Who steers, and when: a login, or the operator. */
interface Steered {
  readonly at: number;
  readonly actor: { readonly login: string };
}

/** Makes the issue the tracking issue of a goal. */
export function onGoalLabel(event: DomainEventOf<"issue_labeled">, view: IssueState): ChangeSet {
  const { actor, at, issue, own, authorPermitted } = event;
  if (own && !authorPermitted)
    return decisionOnly(
      "untrusted_author",
      `we labelled it ourselves, and @${issue.author.login} has no write permission`,
      { change: "a person with write permission removes the label and puts it again", shown: true },
    );
  if (!event.permitted && !own)
    return decisionOnly("not_permitted", `@${actor.login} may label but has no write permission`, {
      change: "a person with write permission removes the label and puts it again",
      shown: true,
    });
  if (view.plan.goal !== null)
    return decisionOnly("goal_known", "the issue is the tracking issue of a goal in progress");
  if (issue.state === "closed") return decisionOnly("closed", `#${issue.number} is closed`, { shown: true });
  const { repositoryId } = view;
  const opened = { repositoryId, issue: issue.number, title: issue.title };
  return {
    ...NO_CHANGES,
    moves: [{ machine: "goal", id: null, event: { type: "OPEN", at, actor: actor.login, ...opened } }],
    effects: [{ kind: "status_comment" }],
  };
}

/**
 * Refuses to start an agent on a goal's tracking issue, except one that plans and changes no code: work is done on the
 * goal's sub-issues.
 */
export function startsNobody(role: Role, view: IssueState, issue: IssueFacts): ChangeSet | null {
  const tracks = view.plan.goal !== null || issue.labels.some(isGoalLabel);
  if (!tracks || role.tools.includes("create_sub_issue")) return null;
  return decisionOnly("goal_issue", `#${issue.number} tracks a goal, and ${role.name} does no planning`, {
    change: `label one of its sub-issues, or remove the label \`${GOAL_LABEL}\` here first`,
    shown: true,
  });
}

/**
 * Records the new milestone. The engine updates the task's sprint in the same transaction; see
 * engine/planning/sprint-membership.ts.
 */
function onIssueMilestoned({ issue }: DomainEventOf<"issue_milestoned">): ChangeSet {
  const { milestone } = issue;
  return decisionOnly(
    "milestone_followed",
    milestone === null ? "it has no milestone any more" : `its milestone is "${milestone.title}" now`,
  );
}

/** Updates a sprint's title and due date; closing the milestone over open tasks asks a person what to do. */
function onMilestoneChanged(event: DomainEventOf<"milestone_changed">, view: IssueState): ChangeSet {
  const { change, milestone, actor, at } = event;
  const [sprint] = view.plan.sprints;
  const name = `the milestone "${milestone.title}"`;
  if (sprint === undefined)
    return decisionOnly("nobody_concerned", `${name} has no sprint that is still open`);
  const by = `@${actor.login}`;
  const act = { at, actor: actor.login };
  const why = `${by} ${change} ${name}`;
  if (change === "edited")
    return decisionOnly("milestone_followed", why, { inputs: { dueAt: dueAtOf(milestone) } });
  // The milestone's tasks have left it; see engine/planning/sprint-membership.ts.
  if (change === "deleted")
    return {
      ...NO_CHANGES,
      moves: [{ machine: "sprint", id: sprint.id, event: { ...act, type: "ABORT", why } }],
    };
  if (!event.permitted) return decisionOnly("not_permitted", `${by} has no write permission`);
  if (sprint.state === "CHECKPOINT")
    return decisionOnly("sprint_stands", `the sprint is at CHECKPOINT already`);
  const stopped = `${why} while ${view.plan.openTasks} of its tasks are open`;
  return {
    ...NO_CHANGES,
    moves: [
      {
        machine: "sprint",
        id: sprint.id,
        event: { ...act, type: "CHECKPOINT", cause: "person", why: stopped },
      },
    ],
  };
}

/** Handles `/flotilla checkpoint`, and `continue` where a sprint is at CHECKPOINT. */
export function steersSprints(
  verb: "checkpoint" | "continue",
  event: Steered,
  view: IssueState,
  rest: string,
): ChangeSet {
  const misplaced = notHere(verb, view);
  if (misplaced !== null) return misplaced;
  const [first, ...others] = view.plan.sprints;
  if (first === undefined)
    return decisionOnly("no_sprint", "the goal has no sprint that is still open", {
      change: "give its tracking issue and the issues of the work one milestone",
    });
  const wanted = [first, ...others].filter(({ state }) => (state === "CHECKPOINT") === (verb === "continue"));
  if (wanted.length === 0)
    return decisionOnly("sprint_stands", `its sprint is at ${first.state} already`, {
      change: "`/flotilla continue` lets it continue, `/flotilla abort` ends it",
    });
  const by = { at: event.at, actor: event.actor.login };
  const why = because(`${personNamed(by.actor)} asked for a checkpoint`, rest);
  return {
    ...NO_CHANGES,
    moves: wanted.map(
      ({ id }): Move =>
        verb === "continue"
          ? { machine: "sprint", id, event: { ...by, type: "CONTINUE" } }
          : { machine: "sprint", id, event: { ...by, type: "CHECKPOINT", cause: "person", why } },
    ),
  };
}

/** Handles `/flotilla abort [why]`: ends the goal with its sprints, or the one sprint that has no goal. */
export function aborts(event: Steered, view: IssueState, rest: string): ChangeSet {
  const misplaced = notHere("abort", view);
  if (misplaced !== null) return misplaced;
  const { goal, sprints } = view.plan;
  const by = { at: event.at, actor: event.actor.login };
  if (goal !== null) {
    const why = because(`${personNamed(by.actor)} aborted the goal of #${goal.issue}`, rest);
    return { ...NO_CHANGES, moves: [{ machine: "goal", id: goal.id, event: { ...by, type: "ABORT", why } }] };
  }
  return mergeChanges(
    ...sprints.map(({ id, title }): ChangeSet => {
      const why = because(`${personNamed(by.actor)} aborted the sprint "${title}"`, rest);
      return { ...NO_CHANGES, moves: [{ machine: "sprint", id, event: { ...by, type: "ABORT", why } }] };
    }),
  );
}

function because(what: string, words: string): string {
  return words === "" ? what : `${what}: ${words}`;
}

/**
 * Refuses these commands where they do not apply. Null on a goal's tracking issue, and on the issues of a sprint that
 * has no goal.
 */
function notHere(verb: Verb, { plan }: IssueState): ChangeSet | null {
  if (plan.goal !== null || (plan.trackedOn === null && plan.sprints.length > 0)) return null;
  const where =
    plan.trackedOn === null
      ? "and this issue has neither goal nor sprint"
      : `here ${steeredOn(plan.trackedOn)}`;
  return decisionOnly("tracking_issue", `\`${verb}\` works only on a goal's tracking issue, ${where}`, {
    change:
      plan.trackedOn === null
        ? `an issue becomes one by the label \`${GOAL_LABEL}\``
        : `say \`/flotilla ${verb}\` on #${plan.trackedOn}`,
  });
}
