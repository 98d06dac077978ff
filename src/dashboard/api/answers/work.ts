import { z } from "zod";
import { PLAN_VERBS } from "../../../domain/planning/planned-work.ts";
import { TASK_STATES } from "../../../domain/tasks/task-record.ts";
import { agentView, waitingItem } from "./agents.ts";
import { count, issue, page, pause, repository, text, time, timeOrNull, usd } from "./fields.ts";

export const task = z.strictObject({
  repository: repository(),
  issue: issue(),
  title: text(),
  state: z.enum(TASK_STATES).describe("docs/lifecycles.md explains each."),
  agent: text().nullable().describe("Name of the agent that holds it, or held it last."),
  pull: count().nullable().describe("The number of that agent's pull request."),
  reason: text().nullable(),
  next: text().describe("The next step, and what a person must do if it needs a person."),
  live: z
    .strictObject({
      name: text(),
      state: text(),
      phase: text().nullable(),
      starts_at: timeOrNull(),
      place: count().nullable().describe("Its place in the queue."),
      why: text().nullable().describe("Why it has not started yet."),
    })
    .nullable()
    .describe("The agent that works on it now, reviewers included."),
  base: text().nullable().describe("The branch that it goes to; null: the default branch."),
  review_commit: text().nullable(),
  merge_commit: text().nullable(),
  superseded_by: count().nullable(),
  review_cycles: count(),
  sprint: text().nullable(),
  created_at: time(),
});

export const goal = z.strictObject({
  kind: z.enum(["goal", "sprint"]),
  repository: repository(),
  issue: issue().nullable(),
  key: text().nullable().describe("owner/name#number: its name in acts."),
  title: text(),
  state: text(),
  reason: text().nullable(),
  next: text(),
  done: count(),
  open: count(),
  issues: z.array(z.strictObject({ issue: issue(), state: z.enum(TASK_STATES).nullable() })),
  agents: count(),
  cost_usd: usd(),
  sprints: z.array(
    z.strictObject({
      milestone: count().nullable(),
      title: text(),
      state: text(),
      reason: text().nullable(),
      due_at: timeOrNull(),
    }),
  ),
  takes: z.array(z.enum(PLAN_VERBS)).describe("The acts that it accepts now."),
  created_at: time(),
  ended_at: timeOrNull(),
});

const ledgerLine = z.strictObject({
  key: text(),
  runs: count(),
  tokens_in: count(),
  tokens_cached: count().describe("Among tokens_in."),
  tokens_out: count(),
  cost_usd: usd(),
  wall_seconds: z.number().min(0).describe("Time that agents were awake."),
  touches: count().describe("How often people had to act."),
  merged: count(),
  finished: count(),
  reverted: count(),
  acceptance: z.number().nullable(),
  cost_per_merged_usd: usd().nullable(),
});

const bar = z.strictObject({ key: text(), value: z.number() });
const counts = z.record(z.string(), count());

export const tasksAnswer = page({ tasks: z.array(task) });
export const goalsAnswer = page({ goals: z.array(goal) });
export const ledgerAnswer = page({ ledger: z.array(ledgerLine) });

const budget = z.strictObject({
  key: text(),
  of: z.enum(["repository", "installation"]),
  repositories: z.array(repository()),
  period: z.enum(["day", "month"]),
  spent_usd: usd(),
  reserved_usd: usd().describe("The most that the next model calls of its working agents can cost."),
  allowed_usd: usd(),
  reached: z.boolean().describe("Nothing more begins: all of it is spent or reserved."),
});

export const costsAnswer = z.strictObject({
  days: count(),
  today_usd: usd(),
  total: ledgerLine,
  by_day: z.array(bar),
  by_repository: z
    .array(ledgerLine)
    .describe("The most expensive first, at most 50; so are roles and models."),
  by_role: z.array(ledgerLine),
  by_model: z.array(ledgerLine),
  more_repositories: count().describe("How many repositories cost less than those that are listed."),
  budgets: z.array(budget).describe("Those of `circuit_breakers.budgets`."),
  repository_days: z
    .array(budget)
    .describe("The day of each repository that has cost something today or has an agent at work."),
});

export const placeAnswer = z.strictObject({
  repository: repository(),
  site: text(),
  goal: z.strictObject({ issue: issue(), title: text(), state: text() }).nullable(),
  plan: goal.nullable().describe("The goal with its sprints, its progress and the acts that it accepts."),
  agents: z.array(agentView),
  tasks: z.array(task),
  task_counts: counts,
  own_file: z
    .strictObject({
      state: text(),
      what: text(),
      next: text().nullable(),
      faults: z.array(text()),
      blob: text().nullable(),
      in_force: text().nullable(),
      read_at: timeOrNull(),
      url: text().nullable(),
      changes: z
        .array(
          z.strictObject({
            key: text(),
            value: text().nullable().describe("What is in force."),
            operator: text().nullable(),
            refused: text()
              .nullable()
              .describe("What the file asks for, where the operator's settings do not allow that."),
          }),
        )
        .describe("The settings that the version in force names."),
    })
    .nullable()
    .describe("The repository's own configuration; null for a goal."),
  paused: z.array(pause),
  figures: z.strictObject({
    per: z.enum(["day", "week"]),
    total: ledgerLine,
    merged: z.array(bar),
    given_up: z.array(bar),
    cost_usd: z.array(bar),
    cost_by_issue_usd: z.array(bar),
    hours_in_state: z.array(bar),
  }),
});

export const overviewAnswer = z.strictObject({
  at: time(),
  site: text().describe("Base address of GitHub's pages."),
  first_start: z
    .boolean()
    .describe("No agent has worked yet: `/api/first-steps` says what is missing. Only for the operator."),
  waiting: z.array(waitingItem),
  waiting_next: text().nullable(),
  agents: z.array(agentView),
  agents_next: text().nullable(),
  ended_next: text().nullable(),
  tasks: z.array(task),
  counts: z.strictObject({ waiting: count(), agents: counts, tasks: counts }),
  cost_usd: z.strictObject({ today: usd(), thirty_days: usd() }),
  repositories: z.array(repository()),
  goals: z.array(goal),
  goals_next: text().nullable(),
  ended_goals: z.array(
    z.strictObject({ repository: repository(), issue: issue(), title: text(), state: text() }),
  ),
  roles: z
    .array(z.strictObject({ name: text(), description: text() }))
    .describe("The roles that a person can start."),
  more_ended_goals: count().describe("How many goals have ended before those of ended_goals."),
  paused: z.array(pause),
  dead: z.strictObject({ deliveries: count(), effects: count() }).describe("What failed."),
  nodes: z.array(
    z.strictObject({
      name: text(),
      version: text(),
      state: text(),
      drain_reason: text().nullable(),
      roles: z.array(text()),
      agents: count(),
      seen_at: time(),
    }),
  ),
  budgets: z.array(
    z.strictObject({
      key: text(),
      of: text(),
      repositories: z.array(repository()),
      period: text(),
      spent_usd: usd(),
      allowed_usd: usd(),
      reached: z.boolean(),
    }),
  ),
  standstills: z.array(text()).describe("What no machine does, with what to do."),
});

/** What a Flotilla needs once before its first agent works, in this order. */
export const FIRST_STEPS = ["app", "webhook", "label", "agent", "model"] as const;

export const firstStepsAnswer = z.strictObject({
  steps: z.array(
    z.strictObject({
      name: z.enum(FIRST_STEPS),
      done: z.boolean(),
      detail: text().nullable().describe("What is there, or what is missing."),
    }),
  ),
});
