import type { Verb } from "../command.ts";
import { dueAtOf } from "../milestone.ts";
import type { IssueFacts, OccurrenceOf } from "../occurrence.ts";
import { GOAL_LABEL, isGoalLabel, steeredOn } from "../plan.ts";
import { decided, joined, type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import type { Role } from "../role.ts";
import { personNamed } from "../text/person-named.ts";

/** Who steers, and when: a login, or the operator. */
interface Steered {
  readonly at: number;
  readonly actor: { readonly login: string };
}

/** The label that makes an issue the tracking issue of a goal. */
export function onGoalLabel(occurrence: OccurrenceOf<"issue_labeled">, view: View): Reaction {
  const { actor, at, issue, own, authorPermitted } = occurrence;
  if (own && !authorPermitted)
    return decided(
      "untrusted_author",
      `we labelled it ourselves, and @${issue.author.login} has no write permission`,
      { change: "a person with write permission removes the label and puts it again", shown: true },
    );
  if (!occurrence.permitted && !own)
    return decided("not_permitted", `@${actor.login} may label but has no write permission`, {
      change: "a person with write permission removes the label and puts it again",
      shown: true,
    });
  if (view.plan.goal !== null)
    return decided("goal_known", "the issue is the tracking issue of a goal in progress");
  if (issue.state === "closed") return decided("closed", `#${issue.number} is closed`, { shown: true });
  const { repositoryId } = view;
  const opened = { repositoryId, issue: issue.number, title: issue.title };
  return {
    ...NOTHING,
    moves: [{ machine: "goal", id: null, event: { type: "OPEN", at, actor: actor.login, ...opened } }],
    effects: [{ kind: "status_comment" }],
  };
}

/** Work is done on a goal's sub-issues: none starts on its tracking issue, except what plans it and changes no code. */
export function startsNobody(role: Role, view: View, issue: IssueFacts): Reaction | null {
  const tracks = view.plan.goal !== null || issue.labels.some(isGoalLabel);
  if (!tracks || role.tools.includes("create_sub_issue")) return null;
  return decided("goal_issue", `#${issue.number} tracks a goal, and ${role.name} does no planning`, {
    change: `label one of its sub-issues, or remove the label \`${GOAL_LABEL}\` here first`,
    shown: true,
  });
}

/** Which sprint an issue's task belongs to is followed where the fact is kept; see engine/membership.ts. */
export function onIssueMilestoned({ issue }: OccurrenceOf<"issue_milestoned">): Reaction {
  const { milestone } = issue;
  return decided(
    "milestone_followed",
    milestone === null ? "it has no milestone any more" : `its milestone is "${milestone.title}" now`,
  );
}

/** A milestone's title and due date are followed as they are; closing it over open tasks asks a person what is meant. */
export function onMilestoneChanged(occurrence: OccurrenceOf<"milestone_changed">, view: View): Reaction {
  const { change, milestone, actor, at } = occurrence;
  const [sprint] = view.plan.sprints;
  const name = `the milestone "${milestone.title}"`;
  if (sprint === undefined) return decided("nobody_concerned", `${name} has no sprint that is still open`);
  const by = `@${actor.login}`;
  const act = { at, actor: actor.login };
  const why = `${by} ${change} ${name}`;
  if (change === "edited")
    return decided("milestone_followed", why, { inputs: { dueAt: dueAtOf(milestone) } });
  // Whoever may delete it there has taken its tasks out of it; see engine/membership.ts.
  if (change === "deleted")
    return {
      ...NOTHING,
      moves: [{ machine: "sprint", id: sprint.id, event: { ...act, type: "ABORT", why } }],
    };
  if (!occurrence.permitted) return decided("not_permitted", `${by} has no write permission`);
  if (sprint.state === "CHECKPOINT") return decided("sprint_stands", `the sprint is at CHECKPOINT already`);
  const stopped = `${why} while ${view.plan.openTasks} of its tasks are open`;
  return {
    ...NOTHING,
    moves: [
      {
        machine: "sprint",
        id: sprint.id,
        event: { ...act, type: "CHECKPOINT", cause: "person", why: stopped },
      },
    ],
  };
}

/** `/flotilla checkpoint`, and `continue` where a sprint is at CHECKPOINT. */
export function steersSprints(
  verb: "checkpoint" | "continue",
  occurrence: Steered,
  view: View,
  rest: string,
): Reaction {
  const misplaced = notHere(verb, view);
  if (misplaced !== null) return misplaced;
  const [first, ...others] = view.plan.sprints;
  if (first === undefined)
    return decided("no_sprint", "the goal has no sprint that is still open", {
      change: "give its tracking issue and the issues of the work one milestone",
    });
  const wanted = [first, ...others].filter(({ state }) => (state === "CHECKPOINT") === (verb === "continue"));
  if (wanted.length === 0)
    return decided("sprint_stands", `its sprint is at ${first.state} already`, {
      change: "`/flotilla continue` lets it continue, `/flotilla abort` ends it",
    });
  const by = { at: occurrence.at, actor: occurrence.actor.login };
  const why = because(`${personNamed(by.actor)} asked for a checkpoint`, rest);
  return {
    ...NOTHING,
    moves: wanted.map(
      ({ id }): Move =>
        verb === "continue"
          ? { machine: "sprint", id, event: { ...by, type: "CONTINUE" } }
          : { machine: "sprint", id, event: { ...by, type: "CHECKPOINT", cause: "person", why } },
    ),
  };
}

/** `/flotilla abort [why]`: the goal with its sprints, or the one sprint that has no goal. */
export function aborts(occurrence: Steered, view: View, rest: string): Reaction {
  const misplaced = notHere("abort", view);
  if (misplaced !== null) return misplaced;
  const { goal, sprints } = view.plan;
  const by = { at: occurrence.at, actor: occurrence.actor.login };
  if (goal !== null) {
    const why = because(`${personNamed(by.actor)} aborted the goal of #${goal.issue}`, rest);
    return { ...NOTHING, moves: [{ machine: "goal", id: goal.id, event: { ...by, type: "ABORT", why } }] };
  }
  return joined(
    ...sprints.map(({ id, title }): Reaction => {
      const why = because(`${personNamed(by.actor)} aborted the sprint "${title}"`, rest);
      return { ...NOTHING, moves: [{ machine: "sprint", id, event: { ...by, type: "ABORT", why } }] };
    }),
  );
}

function because(what: string, words: string): string {
  return words === "" ? what : `${what}: ${words}`;
}

/** Null where these commands belong: on a goal's tracking issue, and on the issues of a sprint that has no goal. */
function notHere(verb: Verb, { plan }: View): Reaction | null {
  if (plan.goal !== null || (plan.trackedOn === null && plan.sprints.length > 0)) return null;
  const where =
    plan.trackedOn === null
      ? "and this issue has neither goal nor sprint"
      : `here ${steeredOn(plan.trackedOn)}`;
  return decided("tracking_issue", `\`${verb}\` works only on a goal's tracking issue, ${where}`, {
    change:
      plan.trackedOn === null
        ? `an issue becomes one by the label \`${GOAL_LABEL}\``
        : `say \`/flotilla ${verb}\` on #${plan.trackedOn}`,
  });
}
