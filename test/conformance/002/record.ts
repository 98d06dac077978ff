import type { OpenStore } from "../../../src/adapters/store/database.ts";
import type { Places } from "../places.ts";

/**
 * What the document keeps beside the state, and where it is with us. The values are shown by "what an event leaves in
 * the record" in show-record.ts, the plan by show-running.ts.
 */
export const METADATA: Places = {
  task_id: "run.issue",
  plan_id: "transition.evidence",
  current_step_id: "run.step",
  iteration: "run.iteration",
  confidence: "run.confidence",
  error: "run.error",
  waiting_for: "run.waiting_for",
  paused_from_state: "run.remembered",
  extra: { not: "every field is a column with a type; there is no bag for what has none" },
};

/** An entry of its history; it keeps the last 50, we keep all. */
export const HISTORY: Places = {
  from_state: "transition.from_state",
  to_state: "transition.to_state",
  event: "transition.event",
  timestamp: "transition.at",
  metadata: "transition.reason",
};

/** What its machine is made with; persisting can be switched off there, and never here. */
export const MADE_WITH: Places = {
  agentName: "agent.name",
  userId: "transition.actor",
  taskId: "run.issue",
  persistToDb: { not: "a state that is not in the database does not exist" },
};

/** The columns of its table. */
export const COLUMNS: Places = {
  id: "run.id",
  agent_name: "agent.name",
  user_id: "transition.actor",
  task_id: "run.issue",
  current_state: "run.state",
  metadata: { not: "columns of the run, see its metadata" },
  history: { not: "rows of `transition`, see its history" },
  created_at: "run.created_at",
  updated_at: "transition.at",
};

/** What its indexes find: how the store is asked for that here, and how it looks. */
export const INDEXES: readonly {
  readonly finds: string;
  readonly ask: (store: OpenStore) => Promise<unknown>;
  readonly by: RegExp;
}[] = [
  {
    finds: "active agents",
    ask: ({ records }) => records.find("agent", { state: "ACTIVE" }),
    by: /^SEARCH agent USING INDEX \w+ \(state=\?/,
  },
  {
    finds: "agents of a task",
    ask: ({ records }) => records.find("agent", { repositoryId: 7, issue: 42 }),
    by: /^SEARCH agent USING INDEX agent_of_issue \(repository_id=\? AND issue=\?\)/,
  },
  {
    finds: "agents in a state",
    ask: ({ records }) => records.find("agent", { state: ["SLEEPING", "ESCALATED"] }),
    by: /^SEARCH agent USING INDEX \w+ \(state=\?/,
  },
  {
    finds: "what an agent is blocked by",
    ask: ({ records }) => records.find("run", { agentId: 11 }),
    by: /^SEARCH run USING INDEX run_of_agent \(agent_id=\?\)/,
  },
];

/** The kinds of agents that its enumeration has are roles of configuration with us. */
export const AGENT_NAMES = [
  "interviewer",
  "sentinel",
  "architect",
  "action",
  "strategist",
  "coordinator",
  "planner",
] as const;

/** Changes that it announces, with the fields of the announcement. */
export const ANNOUNCED = ["succeeded", "failed", "waiting_input", "waiting_agent"] as const;
export const ANNOUNCEMENT: Places = {
  agent_name: "agent.name",
  user_id: "transition.actor",
  task_id: "run.issue",
  from_state: "transition.from_state",
  to_state: "transition.to_state",
  trigger_event: "transition.event",
};

/** The confidence that a result needs in its example, as our default for an evaluator is. */
export const CONFIDENCE_NEEDED = 0.85;
