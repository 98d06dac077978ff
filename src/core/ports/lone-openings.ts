import type { LoneOpening, OpeningStep } from "../lone-opening.ts";

/** Steps of openings that were begun alone and have not ended. */
export interface LoneOpeningTable {
  all(): Promise<readonly LoneOpening[]>;
  /** Counts one more beginning of the step; on disk when it resolves. */
  begin(agentId: number, step: OpeningStep): Promise<void>;
  /** Forgets the step's count; harmless when there is none. */
  end(agentId: number, step: OpeningStep): Promise<void>;
}
