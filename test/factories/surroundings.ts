import type { GuardContext } from "../../src/domain/agents/agent-event.ts";
import { MINUTE } from "./moment.ts";
import { LIMITS } from "./some-settings.ts";

/** Builds a guard's context: a free slot, no holds, an executing run, a claimed task, no rival. */
export function surroundings(overrides: Partial<GuardContext> = {}): GuardContext {
  return {
    slot: true,
    room: true,
    held: [],
    budget: true,
    provider: true,
    run: "executing",
    task: "CLAIMED",
    work: {
      assigneeId: 11,
      line: 11,
      failedBy: [],
      reviewCommit: null,
      rejectedBy: [],
      maxCycles: 5,
      leaseMs: 30 * MINUTE,
    },
    review: null,
    verdict: null,
    rival: null,
    attention: null,
    escalation: { label: "needs-human", notify: ["oncall"] },
    tried: [],
    links: [],
    limits: LIMITS,
    node: "host-1",
    ...overrides,
  };
}
