import type { PlannedWork } from "../ports/work-tables.ts";
import { type PlanVerb, stateOfPlan, steeredAt, takenBy } from "./planned-work.ts";

type Plan = Pick<PlannedWork, "goal" | "sprints" | "tasks">;

/**
 * The state of a goal, or of a sprint without a goal: the reason, and what a person can do. All texts use these words.
 */
export interface PlanSummary {
  readonly state: string;
  readonly reason: string | null;
  readonly next: string;
}

export function planSummary(plan: Plan): PlanSummary {
  return { state: stateOfPlan(plan), reason: reasonOf(plan), next: nextOf(plan) };
}

/** Returns, for a goal in progress, why its sprints do not continue. */
function reasonOf({ goal, sprints }: Plan): string | null {
  if (goal === null) return sprints.at(-1)?.reason ?? null;
  if (goal.state !== "IN_PROGRESS") return goal.reason;
  const still = sprints.flatMap(({ state, title, reason }) =>
    state === "CHECKPOINT" ? [`sprint "${title}": ${reason ?? "it stands still"}`] : [],
  );
  return still.length === 0 ? null : still.join("; ");
}

/** Describes a command: a goal ends with its sprints, and these with their agents. */
function does(verb: PlanVerb, { sprints }: Plan): string {
  if (verb === "checkpoint") return "stops it";
  if (verb === "continue") return "lets it continue";
  return sprints.some(({ endedAt }) => endedAt === null) ? "ends it and cancels its agents" : "ends it";
}

function nextOf(plan: Plan): string {
  const state = stateOfPlan(plan);
  if (state === "COMPLETED") return "nothing: it is done";
  if (state === "ABORTED")
    return "nothing: it has ended; to work on one of its issues again, label it or say `/flotilla start` there";
  const issue = steeredAt(plan);
  const on = issue === null ? "" : ` on #${issue}`;
  const ways = takenBy(plan).map((verb) => `\`/flotilla ${verb}\`${on} ${does(verb, plan)}`);
  if (state === "CHECKPOINT") return ways.join(", ");
  const end =
    plan.goal === null
      ? "when all its tasks have ended"
      : "when all sub-issues are closed and all tasks have ended";
  return [`nothing: it is complete ${end}`, ways.join(", ")].join("; ");
}

/** Returns the state on one line, for what `/flotilla why` and `flotilla explain` say of an issue. */
export function planLine(plan: Plan): string {
  const { state, reason, next } = planSummary(plan);
  const { goal, sprints } = plan;
  const name =
    goal === null ? `the sprint "${sprints.at(-1)?.title}"` : `the goal "${goal.title}" of #${goal.issue}`;
  const why = reason === null ? "" : `: ${reason}`;
  return `${`${name} is ${state}${why}`.replace(/\s+/g, " ").trim()} → ${next}`;
}
