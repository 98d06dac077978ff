import { NEW } from "../../../src/domain/kernel/state-machine.ts";
import { written } from "./arrow.ts";

/** The Agent's table as the design has it, row by row. */
export const AGENT_TABLE: readonly string[] = written(
  [NEW, "CREATE", "CREATED"],
  ["CREATED", "START", "ACTIVE"],
  ["ACTIVE", "BLOCKED", "SLEEPING"],
  ["ACTIVE", "WAIT", "SLEEPING"],
  ["ACTIVE", "PAUSE", "SLEEPING"],
  ["CREATED SLEEPING", "PAUSE", "="],
  // The design names the first two; an agent that was held when it was escalated is let go of as well.
  ["CREATED SLEEPING ESCALATED", "RESUME", "="],
  ["ACTIVE SLEEPING", "COMPLETE", "COMPLETED"],
  ["ACTIVE SLEEPING", "ESCALATE", "ESCALATED"],
  ["ACTIVE", "FAIL", "FAILED"],
  ["ACTIVE", "HANDOFF", "ACTIVE"],
  ["SLEEPING", "WAKE", "ACTIVE"],
  ["SLEEPING", "WAKE", "ESCALATED"],
  ["SLEEPING", "EXPIRE", "ESCALATED"],
  ["CREATED ACTIVE SLEEPING ESCALATED", "COMPLETE", "COMPLETED"],
  ["CREATED ACTIVE SLEEPING ESCALATED", "CANCEL", "CANCELLED"],
  ["ESCALATED", "RESUME", "ACTIVE"],
  [NEW, "REVIVE", "CREATED"],
  [NEW, "REOPEN", "CREATED"],
);
