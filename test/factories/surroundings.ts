import type { Surroundings } from "../../src/core/machines/agent-event.ts";
import { LIMITS } from "./some-settings.ts";

/** A free slot, nothing held, a run at work, a claimed task, no rival. */
export function surroundings(overrides: Partial<Surroundings> = {}): Surroundings {
  return {
    slot: true,
    held: [],
    run: "executing",
    task: "CLAIMED",
    rival: null,
    escalation: { label: "needs-human", notify: ["oncall"] },
    limits: LIMITS,
    ...overrides,
  };
}
