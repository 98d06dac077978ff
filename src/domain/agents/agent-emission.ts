import type { ReviewLeaseEvent } from "../review/review-lease.ts";
import type { TaskEvent } from "../tasks/task-event.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { RunEvent } from "./run.ts";
import type { SessionEvent } from "./session.ts";

/** What an agent's move tells the machines that belong to it. */
export type AgentEmission =
  | { readonly machine: "agent"; readonly event: AgentEvent }
  | { readonly machine: "run"; readonly event: RunEvent }
  /** `of: "before"` = the conversation that the move leaves behind. */
  | { readonly machine: "session"; readonly of?: "before"; readonly event: SessionEvent }
  | { readonly machine: "task"; readonly event: TaskEvent }
  /** A CLAIM for the task that it names; anything else is for the lease that the agent holds. */
  | { readonly machine: "review_lease"; readonly event: ReviewLeaseEvent };
