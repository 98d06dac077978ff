import { expect, test } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { endOfWork } from "../../../src/domain/trial/work-end.ts";

type Seen = Pick<AgentRecord, "state" | "sleepReason" | "reason" | "breaker">;

const at = (given: Partial<Seen>, isLowered = false) =>
  endOfWork({ state: "SLEEPING", sleepReason: null, reason: null, breaker: null, ...given }, { isLowered });

test.each([
  [{ state: "CREATED" }, null],
  [{ state: "ACTIVE" }, null],
  [{ sleepReason: "checks" }, null],
  [{ sleepReason: "provider_limit" }, null],
  [{ sleepReason: "retry" }, null],
  [{ sleepReason: "restart" }, null],
  [{ sleepReason: "time" }, null],
  [
    { state: "COMPLETED", reason: "Done." },
    { end: "completed", reason: "Done." },
  ],
  [{ sleepReason: "review" }, { end: "completed", reason: "It asked for a review." }],
  [
    { state: "FAILED", reason: "It died." },
    { end: "failed", reason: "It died." },
  ],
  [{ state: "CANCELLED" }, { end: "failed", reason: "" }],
  [
    { state: "ESCALATED", reason: "Which one?" },
    { end: "escalated", reason: "Which one?" },
  ],
  [{ sleepReason: "question" }, { end: "escalated", reason: "It sleeps: question." }],
  [
    { sleepReason: "approval", breaker: "max_turns" },
    { end: "escalated", reason: "It met the limit max_turns." },
  ],
  [{ sleepReason: "blocked" }, { end: "escalated", reason: "It sleeps: blocked." }],
  [{ sleepReason: "paused" }, { end: "escalated", reason: "It sleeps: paused." }],
] as const)("%j ends as %j", (seen, end) => {
  expect(at(seen)).toEqual(end);
});

test("the limit of cost is the budget's where that lowered it, else the role's", () => {
  const met = { state: "ESCALATED", breaker: "max_cost_usd", reason: "It costs too much." } as const;
  expect(at(met, true)).toEqual({ end: "out_of_budget", reason: "It costs too much." });
  expect(at(met)).toEqual({ end: "escalated", reason: "It costs too much." });
  expect(at({ ...met, breaker: "max_turns" }, true)).toMatchObject({ end: "escalated" });
});
