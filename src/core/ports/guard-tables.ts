import type { HandoffRow } from "../handoff.ts";
import type { IncidentRow } from "../incident.ts";
import type { ProgressRow } from "../progress-memory.ts";

export interface IncidentTable {
  add(incident: Omit<IncidentRow, "id">): Promise<IncidentRow>;
  set(
    id: number,
    fields: Partial<
      Pick<
        IncidentRow,
        "state" | "issue" | "probeAt" | "probeAgentId" | "probeSince" | "failedProbes" | "closedAt"
      >
    >,
  ): Promise<void>;
  /** All of them, oldest first: there are few. */
  list(): Promise<readonly IncidentRow[]>;
}

/** One row for each agent that has had a turn. */
export interface ProgressTable {
  get(agentId: number): Promise<ProgressRow | undefined>;
  /** In place of the one before. */
  put(row: ProgressRow): Promise<void>;
}

export interface HandoffTable {
  add(handoff: Omit<HandoffRow, "id">): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly HandoffRow[]>;
}
