import { no } from "../kernel/state-machine.ts";
import { personNamed } from "../status/person-named.ts";
import { rule, type TaskRule } from "./task-rule.ts";

/** Rules from an approval to the merge, and for the end of a task that needs replanning. */
export const taskEndingRules: readonly TaskRule[] = [
  rule("MERGE", {
    from: ["APPROVED"],
    to: "MERGED",
    guard: (task, event) => {
      if (event.head !== task.reviewCommit)
        return no("other_commit", `the head is ${event.head}, approved was ${task.reviewCommit}`);
      return event.checksGreen || no("checks", "the required checks are not green", true);
    },
    change: (_, event) => ({ mergeCommit: event.mergeCommit, worktree: null, leaseUntil: null }),
  }),
  rule("INTEGRATION_FAIL", {
    from: ["APPROVED"],
    to: "INTEGRATION_FAILED",
    guard: (_, event) =>
      event.reason.trim() !== "" || no("no_reason", "the reason is missing: say what failed"),
    change: (_, event) => ({ integrationReason: event.reason }),
  }),
  rule("SUPERSEDE", {
    from: ["BLOCKED"],
    to: "SUPERSEDED",
    guard: (_, event) =>
      event.reason.trim() !== "" || no("no_reason", "the reason is missing: say why it is replaced"),
    change: (_, event) => ({ supersededBy: event.by, rescopeReason: event.reason, leaseUntil: null }),
  }),
  rule("ABANDON", {
    from: ["BLOCKED"],
    to: "ABANDONED",
    change: (_, { actor }) => ({ leaseUntil: null, abandonedReason: `${personNamed(actor)} gave it up` }),
  }),
];
