import { z } from "zod";
import type { AgentEvent } from "../agents/agent-event.ts";
import { type Machine, NEW, no, type Rule, ruleMaker } from "../kernel/state-machine.ts";

/** A milestone: tasks that are worked on together. */
export const SPRINT_STATES = ["IN_PROGRESS", "CHECKPOINT", "COMPLETED", "ABORTED"] as const;
export type SprintState = (typeof SPRINT_STATES)[number];

export const sprintRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(SPRINT_STATES),
  repositoryId: z.int(),
  goalId: z.int().nullable(),
  /** The milestone's number. */
  milestone: z.int(),
  title: z.string(),
  /** Why it is at CHECKPOINT or ABORTED. */
  reason: z.string().nullable(),
  dueAt: z.int().nullable(),
  /** The due date at which a person already chose CONTINUE. */
  answeredDueAt: z.int().nullable(),
  createdAt: z.int(),
  endedAt: z.int().nullable(),
});
export type SprintRecord = z.infer<typeof sprintRecord>;

interface Base {
  readonly at: number;
  readonly actor: string;
}
export type SprintEvent = Base &
  (
    | {
        readonly type: "OPEN";
        readonly repositoryId: number;
        readonly goalId: number | null;
        readonly milestone: number;
        readonly title: string;
        readonly dueAt: number | null;
      }
    | {
        readonly type: "CHECKPOINT";
        readonly cause: "person" | "incident" | "due";
        readonly why: string;
      }
    | { readonly type: "CONTINUE" }
    | { readonly type: "ABORT"; readonly why: string }
    /** Both counted in the transaction. */
    | { readonly type: "TASKS_DONE"; readonly tasks: number; readonly open: number }
  );

/** A command to agents of the sprint: those at work, those it holds, or all live ones. */
export type SprintEmission =
  | {
      readonly machine: "agents";
      readonly which: "active" | "held" | "live";
      readonly event: AgentEvent;
    }
  | { readonly machine: "sprint"; readonly ask: "TASKS_DONE" };

type R = Rule<SprintState, SprintRecord, SprintEvent, never, SprintEmission>;
const rule = ruleMaker<SprintState, SprintRecord, SprintEvent, never, SprintEmission>();

const rules: readonly R[] = [
  rule("OPEN", {
    from: NEW,
    to: "IN_PROGRESS",
    change: (_, { repositoryId, goalId, milestone, title, dueAt, at }) => ({
      repositoryId,
      goalId,
      milestone,
      title,
      dueAt,
      createdAt: at,
    }),
  }),
  rule("CHECKPOINT", {
    from: ["IN_PROGRESS"],
    to: "CHECKPOINT",
    guard: (sprint, event) => {
      if (event.cause !== "due") return true;
      if (sprint.dueAt === null || sprint.dueAt > event.at)
        return no("not_due", "its due date has not passed");
      return sprint.answeredDueAt !== sprint.dueAt || no("answered", "its due date was answered already");
    },
    change: (_, event) => ({ reason: event.why }),
    emits: (_, { at, actor, why }) => [
      { machine: "agents", which: "active", event: { type: "PAUSE", at, actor, holder: "sprint", why } },
    ],
  }),
  rule("CONTINUE", {
    from: ["CHECKPOINT"],
    to: "IN_PROGRESS",
    change: (sprint, { at }) => ({
      reason: null,
      ...(sprint.dueAt !== null && sprint.dueAt <= at ? { answeredDueAt: sprint.dueAt } : {}),
    }),
    emits: (_, { at, actor }) => [
      {
        machine: "agents",
        which: "held",
        event: { type: "RESUME", at, actor, holders: ["sprint"], grant: null },
      },
      { machine: "sprint", ask: "TASKS_DONE" },
    ],
  }),
  rule("ABORT", {
    from: ["IN_PROGRESS", "CHECKPOINT"],
    to: "ABORTED",
    change: (_, event) => ({ reason: event.why, endedAt: event.at }),
    emits: (_, { at, actor, why }) => [
      { machine: "agents", which: "live", event: { type: "CANCEL", at, actor, why, quiet: false } },
    ],
  }),
  rule("TASKS_DONE", {
    from: ["IN_PROGRESS"],
    to: "COMPLETED",
    guard: (_, { tasks, open }) => {
      if (tasks === 0) return no("no_tasks", "it has no tasks yet");
      return open === 0 || no("open_tasks", `${open} of its tasks are open`);
    },
    change: (_, event) => ({ endedAt: event.at }),
  }),
];

export const sprintMachine: Machine<SprintState, SprintRecord, SprintEvent, never, SprintEmission> = {
  name: "sprint",
  states: SPRINT_STATES,
  terminal: ["COMPLETED", "ABORTED"],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The initial values of a record that does not exist yet. */
export const blankSprint: SprintRecord = {
  id: 0,
  version: 0,
  state: "IN_PROGRESS",
  repositoryId: 0,
  goalId: null,
  milestone: 0,
  title: "",
  reason: null,
  dueAt: null,
  answeredDueAt: null,
  createdAt: 0,
  endedAt: null,
};
