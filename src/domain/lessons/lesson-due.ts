import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { ENDINGS, type Ending, type Role, type Roles, rolesForEvent } from "../agents/role.ts";
import { newAgentOf, refusedUnconfined } from "../agents/start-role.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { adviceIfGone } from "../tasks/issue-gone.ts";
import type { TaskEvent } from "../tasks/task-event.ts";
import type { TaskRecord, TaskState } from "../tasks/task-record.ts";

/** States of work that nobody does any more, once it was up for review. */
const GIVEN_UP: readonly TaskState[] = ["UNCLAIMED", "ABANDONED"];

/**
 * Returns whether this move of a task may end its work. A failed coder does not: another attempt may follow. Nor does an
 * issue that is gone, on which nothing is written.
 */
export function mayEndWork(
  before: Pick<TaskRecord, "state"> | undefined,
  after: Pick<TaskRecord, "state" | "reviewCommit" | "abandonedReason">,
  event: TaskEvent,
): boolean {
  if (before === undefined || before.state === after.state) return false;
  if (after.state === "MERGED") return true;
  if (!GIVEN_UP.includes(after.state) || after.reviewCommit === null) return false;
  return (event.type !== "RELEASE" || event.failed === null) && adviceIfGone(after.abandonedReason) === null;
}

/** Returns how the issue's newest work has ended; null where it has not, or was never up for review. */
export function endingOf({ newestTask, agents }: Pick<IssueState, "newestTask" | "agents">): Ending | null {
  if (newestTask === null) return null;
  const { state, reviewCommit } = newestTask;
  if (state === "MERGED") return "task.merged";
  const goesOn = agents.some((agent: AgentRecord) => agent.coder && isLive(agent));
  return GIVEN_UP.includes(state) && reviewCommit !== null && !goesOn ? "task.rejected" : null;
}

/** Returns the roles that any end of work starts. */
export function retrospectives(roles: Roles): readonly Role[] {
  return [...new Set(ENDINGS.flatMap((ending) => rolesForEvent(roles, ending)))];
}

export interface LessonObstacle {
  readonly reason: string;
  readonly change?: string;
}

export interface LessonDue {
  readonly at: number;
  readonly ending: Ending | null;
  /** The role that a person asked for by name; null when the work has just ended. */
  readonly asked: string | null;
  /** Why nothing is looked for here now, and what would change that; null where nothing stands in the way. */
  readonly obstacle: LessonObstacle | null;
}

/** Starts each retrospective that this end of the issue's work calls for, or says why none starts. */
export function lessonDue({ at, ending, asked, obstacle }: LessonDue, view: IssueState): ChangeSet {
  const { roles } = view.settings;
  if (ending === null)
    return asked === null
      ? NO_CHANGES
      : decisionOnly("no_lesson", `no work on #${view.issue} has ended after a review`, {
          change: "it starts automatically when such work is merged or ends without a merge",
          shown: true,
        });
  const due = asked === null ? rolesForEvent(roles, ending) : [...roles.values()].filter(isNamed(asked));
  const starting = due.filter(
    ({ name }) => !view.agents.some((agent) => isLive(agent) && agent.role === name),
  );
  if (starting.length === 0) return NO_CHANGES;
  if (obstacle !== null) {
    const { reason, ...rest } = obstacle;
    return decisionOnly("no_lesson", reason, { ...rest, shown: asked !== null });
  }
  const unconfined = refusedUnconfined(view);
  if (unconfined !== null) return unconfined;
  const moves = starting.map((role): Move => {
    const newAgent = newAgentOf(role, view, at, null);
    const event = { type: "CREATE", at, actor: "flotilla", newAgent, entry: { assignedTo: null } } as const;
    return { machine: "agent", id: null, event };
  });
  return { ...NO_CHANGES, moves };
}

const isNamed =
  (wanted: string) =>
  ({ name }: Role): boolean =>
    name === wanted;
