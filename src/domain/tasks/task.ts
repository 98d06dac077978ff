import type { Machine } from "../kernel/state-machine.ts";
import type { TaskEmission, TaskEvent } from "./task-event.ts";
import {
  OPEN_TASK_STATES,
  TASK_STATES,
  type TaskRecord,
  type TaskState,
  TERMINAL_TASK_STATES,
} from "./task-record.ts";
import { endsReview, rule, type TaskRule } from "./task-rule.ts";
import { claimingRules } from "./task-rules-claiming.ts";
import { taskEndingRules } from "./task-rules-ending.ts";
import { reviewRules } from "./task-rules-review.ts";

/** Rules for a person's act on GitHub, which is a fact in any state of the task. */
const observedRules: readonly TaskRule[] = [
  rule("OBSERVED_MERGED", {
    from: OPEN_TASK_STATES,
    to: "MERGED",
    change: (_, event) => ({ mergeCommit: event.commit, worktree: null, leaseUntil: null }),
    emits: (_, event, before) =>
      before.state === "READY_FOR_REVIEW" ? [endsReview(event, "it was merged")] : [],
  }),
  rule("OBSERVED_CLOSED", {
    from: OPEN_TASK_STATES,
    to: "ABANDONED",
    change: (_, { why = "the issue was closed" }) => ({ leaseUntil: null, abandonedReason: why }),
    emits: (_, event, before) =>
      before.state === "READY_FOR_REVIEW" ? [endsReview(event, "the issue was closed")] : [],
  }),
];

const rules = [...claimingRules, ...reviewRules, ...taskEndingRules, ...observedRules];

export const taskMachine: Machine<TaskState, TaskRecord, TaskEvent, never, TaskEmission> = {
  name: "task",
  states: TASK_STATES,
  terminal: TERMINAL_TASK_STATES,
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};
