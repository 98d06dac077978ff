import { z } from "zod";
import { type Machine, NEW, no, type Rule, ruleMaker } from "../kernel/state-machine.ts";
import type { SprintEvent } from "./sprint.ts";

/** A tracking issue: what the sprints work towards. */
export const GOAL_STATES = ["IN_PROGRESS", "COMPLETED", "ABORTED"] as const;
export type GoalState = (typeof GOAL_STATES)[number];

export const goalRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(GOAL_STATES),
  repositoryId: z.int(),
  /** The tracking issue. */
  issue: z.int(),
  title: z.string(),
  /** The milestone of the tracking issue: its sprint belongs to the goal. */
  milestone: z.int().nullable(),
  /** Sub-issues in the same repository, by number, as last read. */
  parts: z.array(z.int()),
  /** Why it was ABORTED. */
  reason: z.string().nullable(),
  createdAt: z.int(),
  endedAt: z.int().nullable(),
});
export type GoalRecord = z.infer<typeof goalRecord>;

interface Base {
  readonly at: number;
  readonly actor: string;
}
export type GoalEvent = Base &
  (
    | {
        readonly type: "OPEN";
        readonly repositoryId: number;
        readonly issue: number;
        readonly title: string;
      }
    /** Numbers of open sub-issues on GitHub, and of open tasks in its sprints. */
    | { readonly type: "COMPLETE"; readonly openSubIssues: number; readonly openTasks: number }
    | { readonly type: "ABORT"; readonly why: string }
  );

/** A command to those of its sprints that are not over. */
export interface GoalEmission {
  readonly machine: "sprints";
  readonly event: SprintEvent;
}

type R = Rule<GoalState, GoalRecord, GoalEvent, never, GoalEmission>;
const rule = ruleMaker<GoalState, GoalRecord, GoalEvent, never, GoalEmission>();

const rules: readonly R[] = [
  rule("OPEN", {
    from: NEW,
    to: "IN_PROGRESS",
    change: (_, { repositoryId, issue, title, at }) => ({ repositoryId, issue, title, createdAt: at }),
  }),
  rule("COMPLETE", {
    from: ["IN_PROGRESS"],
    to: "COMPLETED",
    guard: (_, { openSubIssues, openTasks }) => {
      if (openSubIssues > 0) return no("open_sub_issues", `${openSubIssues} of its sub-issues are open`);
      return openTasks === 0 || no("open_tasks", `${openTasks} of its tasks are open`);
    },
    change: (_, event) => ({ endedAt: event.at }),
  }),
  rule("ABORT", {
    from: ["IN_PROGRESS"],
    to: "ABORTED",
    change: (_, event) => ({ reason: event.why, endedAt: event.at }),
    emits: (_, { at, actor, why }) => [{ machine: "sprints", event: { type: "ABORT", at, actor, why } }],
  }),
];

export const goalMachine: Machine<GoalState, GoalRecord, GoalEvent, never, GoalEmission> = {
  name: "goal",
  states: GOAL_STATES,
  terminal: ["COMPLETED", "ABORTED"],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The initial values of a record that does not exist yet. */
export const blankGoal: GoalRecord = {
  id: 0,
  version: 0,
  state: "IN_PROGRESS",
  repositoryId: 0,
  issue: 0,
  title: "",
  milestone: null,
  parts: [],
  reason: null,
  createdAt: 0,
  endedAt: null,
};
