import type { StandingFacts } from "../../src/domain/status/standing.ts";

/** Builds the facts around an agent, empty by default. */
export function standingFacts(overrides: Partial<StandingFacts> = {}): StandingFacts & {
  readonly parent: string | null;
  readonly phaseSince: number | null;
  readonly sessionModel: string | null;
} {
  return {
    parent: null,
    phaseSince: null,
    sessionModel: null,
    run: null,
    slept: null,
    holds: [],
    merges: [],
    heldUp: null,
    task: null,
    isReviewed: false,
    isRejected: false,
    hasSuccessor: false,
    ...overrides,
  };
}
