import type { ReviewLeaseEvent } from "../review/review-lease.ts";
import type { TaskEvent } from "../tasks/task-event.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { RunEvent } from "./run.ts";
import type { SessionEvent } from "./session.ts";

/** An event that an agent's move emits to one of the machines that belong to the agent. */
export type AgentEmission =
  | { readonly machine: "agent"; readonly event: AgentEvent }
  | { readonly machine: "run"; readonly event: RunEvent }
  /** `of: "before"` = the conversation that the move ends. */
  | { readonly machine: "session"; readonly of?: "before"; readonly event: SessionEvent }
  | { readonly machine: "task"; readonly event: TaskEvent }
  /** A CLAIM goes to the lease of the task that it names; any other event to the lease that the agent holds. */
  | { readonly machine: "review_lease"; readonly event: ReviewLeaseEvent };
