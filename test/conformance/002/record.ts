import type { Places } from "../places.ts";

/** What the document keeps beside the state, and where it is with us. */
export const METADATA: Places = {
  task_id: "run.issue",
  plan_id: "run.plan",
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

/** What its indexes find, and ours that find the same. */
export const INDEXES: readonly { readonly finds: string; readonly ours: string }[] = [
  { finds: "active agents of a user", ours: "agent_in_state ON agent (state, role)" },
  { finds: "agents of a task", ours: "agent_of_issue ON agent (repository_id, issue)" },
  { finds: "agents in a state", ours: "agent_in_state ON agent (state, role)" },
  { finds: "blocked agents by name", ours: "run_of_agent ON run (agent_id)" },
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
