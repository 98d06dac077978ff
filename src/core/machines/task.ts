import { z } from "zod";
import { type EventOf, type Machine, NEW, no, type Rule, ruleMaker } from "../machine.ts";

/** The work asked for by one issue. The moves of the main line; review, merge and planning moves join them later. */
export const TASK_STATES = [
  "DRAFT",
  "UNCLAIMED",
  "CLAIMED",
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
  "BLOCKED",
  "MERGED",
  "SUPERSEDED",
  "ABANDONED",
] as const;
export type TaskState = (typeof TASK_STATES)[number];
const TERMINAL = ["MERGED", "SUPERSEDED", "ABANDONED"] as const;
const OPEN = TASK_STATES.filter((state) => !(TERMINAL as readonly string[]).includes(state));

export const taskRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(TASK_STATES),
  repositoryId: z.int(),
  issue: z.int(),
  title: z.string(),
  /** The coder that holds it. */
  assigneeId: z.int().nullable(),
  leaseUntil: z.int().nullable(),
  worktreePath: z.string().nullable(),
  baseCommit: z.string().nullable(),
  reviewCommit: z.string().nullable(),
  mergeCommit: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  blockedReason: z.string().nullable(),
  supersededBy: z.int().nullable(),
  rescopeReason: z.string().nullable(),
  reviewer: z.string().nullable(),
  integrationFix: z.boolean(),
  reviewCyclesCurrent: z.int(),
  reviewCyclesTotal: z.int(),
  failedBy: z.array(z.int()),
  sprintId: z.int().nullable(),
  createdAt: z.int(),
});
export type TaskRecord = z.infer<typeof taskRecord>;

interface Base {
  readonly at: number;
  readonly actor: string;
}
export type TaskEvent = Base &
  (
    | {
        readonly type: "OPEN";
        readonly repositoryId: number;
        readonly issue: number;
        readonly title: string;
        readonly draft: boolean;
      }
    | { readonly type: "FINALIZE" | "OBSERVED_CLOSED" }
    | {
        readonly type: "CLAIM" | "RECLAIM";
        readonly agentId: number;
        readonly leaseUntil: number;
        readonly openBlockers: readonly number[];
      }
    | { readonly type: "REQUEST_REVIEW"; readonly commit: string | null }
    | { readonly type: "RELEASE"; readonly failed: number | null }
    | { readonly type: "REJECT"; readonly reason: string }
    | { readonly type: "OBSERVED_MERGED"; readonly commit: string | null }
  );
type Of<T extends TaskEvent["type"]> = EventOf<TaskEvent, T>;
type R = Rule<TaskState, TaskRecord, TaskEvent, never, never>;
const rule = ruleMaker<TaskState, TaskRecord, TaskEvent, never, never>();

const opened = ({ repositoryId, issue, title, at }: Of<"OPEN">) => ({
  repositoryId,
  issue,
  title,
  createdAt: at,
});

const rules: readonly R[] = [
  rule("OPEN", {
    from: NEW,
    to: "DRAFT",
    guard: (_, event) => event.draft || no("not_draft", "the issue is not a draft"),
    change: (_, event) => opened(event),
  }),
  rule("OPEN", { from: NEW, to: "UNCLAIMED", change: (_, event) => opened(event) }),
  rule("FINALIZE", { from: ["DRAFT"], to: "UNCLAIMED" }),
  rule("CLAIM", {
    from: ["UNCLAIMED"],
    to: "CLAIMED",
    guard: (_, event) =>
      event.openBlockers.length === 0 ||
      no("open_blocker", `blocked by #${event.openBlockers.join(", #")}`, true),
    change: (task, event) => ({
      assigneeId: event.agentId,
      leaseUntil: event.leaseUntil,
      ...(task.assigneeId === event.agentId ? {} : { reviewCyclesCurrent: 0 }),
    }),
  }),
  rule("RECLAIM", {
    from: ["REJECTED"],
    to: "CLAIMED",
    change: (_, event) => ({ assigneeId: event.agentId, leaseUntil: event.leaseUntil }),
  }),
  rule("REQUEST_REVIEW", {
    from: ["CLAIMED"],
    to: "READY_FOR_REVIEW",
    guard: (_, event) => event.commit !== null || no("no_commit", "there is no pushed commit"),
    change: (_, event) => ({ reviewCommit: event.commit, leaseUntil: null }),
  }),
  rule("REQUEST_REVIEW", {
    from: ["READY_FOR_REVIEW", "APPROVED"],
    to: "unchanged",
    guard: (task, event) =>
      task.reviewCommit === event.commit || no("other_commit", "the review commit is another"),
  }),
  rule("RELEASE", {
    from: ["CLAIMED", "READY_FOR_REVIEW", "REJECTED", "APPROVED", "INTEGRATION_FAILED"],
    to: "UNCLAIMED",
    change: (task, event) => ({
      leaseUntil: null,
      assigneeId: null,
      worktreePath: null,
      reviewer: null,
      failedBy: event.failed === null ? task.failedBy : [...new Set([...task.failedBy, event.failed])],
    }),
  }),
  rule("REJECT", {
    from: ["READY_FOR_REVIEW"],
    to: "REJECTED",
    change: (task, event) => ({
      rejectionReason: event.reason,
      reviewCyclesCurrent: task.reviewCyclesCurrent + 1,
      reviewCyclesTotal: task.reviewCyclesTotal + 1,
      reviewer: null,
    }),
  }),
  rule("OBSERVED_MERGED", {
    from: OPEN,
    to: "MERGED",
    change: (_, event) => ({ mergeCommit: event.commit, worktreePath: null, leaseUntil: null }),
  }),
  rule("OBSERVED_CLOSED", { from: OPEN, to: "ABANDONED", change: () => ({ leaseUntil: null }) }),
];

export const taskMachine: Machine<TaskState, TaskRecord, TaskEvent> = {
  name: "task",
  states: TASK_STATES,
  terminal: TERMINAL,
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The fields of a record that does not exist yet. */
export const blankTask: TaskRecord = {
  id: 0,
  version: 0,
  state: "UNCLAIMED",
  repositoryId: 0,
  issue: 0,
  title: "",
  assigneeId: null,
  leaseUntil: null,
  worktreePath: null,
  baseCommit: null,
  reviewCommit: null,
  mergeCommit: null,
  rejectionReason: null,
  blockedReason: null,
  supersededBy: null,
  rescopeReason: null,
  reviewer: null,
  integrationFix: false,
  reviewCyclesCurrent: 0,
  reviewCyclesTotal: 0,
  failedBy: [],
  sprintId: null,
  createdAt: 0,
};

export function isOpenTask(task: Pick<TaskRecord, "state">): boolean {
  return (OPEN as readonly string[]).includes(task.state);
}
