import type { HandoffRow } from "../handoff.ts";
import type { IncidentRow } from "../incident.ts";

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

export interface HandoffTable {
  add(handoff: Omit<HandoffRow, "id">): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly HandoffRow[]>;
}
