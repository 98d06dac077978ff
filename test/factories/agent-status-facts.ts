import type { AgentStatusFacts } from "../../src/domain/status/agent-status.ts";

/** Builds the facts around an agent, empty by default. */
export function agentStatusFacts(overrides: Partial<AgentStatusFacts> = {}): AgentStatusFacts & {
  readonly parent: string | null;
  readonly phaseSince: number | null;
  readonly sessionModel: string | null;
  readonly runtimeVersion: string | null;
} {
  return {
    parent: null,
    phaseSince: null,
    sessionModel: null,
    runtimeVersion: null,
    run: null,
    slept: null,
    holds: [],
    approvals: [],
    answered: [],
    merges: [],
    heldUp: null,
    task: null,
    isReviewed: false,
    isRejected: false,
    hasSuccessor: false,
    ...overrides,
  };
}
