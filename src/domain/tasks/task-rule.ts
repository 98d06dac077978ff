import { type Rule, ruleMaker } from "../kernel/state-machine.ts";
import type { TaskEmission, TaskEvent } from "./task-event.ts";
import type { TaskRecord, TaskState } from "./task-record.ts";

export type TaskRule = Rule<TaskState, TaskRecord, TaskEvent, never, TaskEmission>;

export const rule: ReturnType<typeof ruleMaker<TaskState, TaskRecord, TaskEvent, never, TaskEmission>> =
  ruleMaker();

interface When {
  readonly at: number;
  readonly actor: string;
}

/** Ends the review in progress, whose subject no longer exists: its lease ends, its reviewer is cancelled. */
export function endsReview({ at, actor }: When, why: string): TaskEmission {
  return { machine: "review_lease", event: { type: "EXPIRE", at, actor, why } };
}

/**
 * Ends the review in progress after a verdict: the holder's own ends it as given, anybody else's makes it unnecessary.
 */
export function endsWithVerdict(event: When & { readonly leaseToken: number | null }): TaskEmission {
  const { at, actor, leaseToken: token } = event;
  return token === null
    ? endsReview(event, "somebody else gave the verdict")
    : { machine: "review_lease", event: { type: "VERDICT", at, actor, token } };
}
