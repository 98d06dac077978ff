import type { EvidenceRow } from "../rows.ts";

/** What the host found when it checked the work itself. */
export interface EvidenceTable {
  add(row: Omit<EvidenceRow, "id">): Promise<void>;
  /** Oldest first, as those of a claim. */
  ofAgent(agentId: number): Promise<readonly EvidenceRow[]>;
  ofClaim(intentId: number): Promise<readonly EvidenceRow[]>;
}
