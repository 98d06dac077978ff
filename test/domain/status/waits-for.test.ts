import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { moment } from "../../../src/domain/messages/format.ts";
import { waitsFor } from "../../../src/domain/status/waits-for.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const sleeper = anAgent({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [7, 9] });
const merge = (issue: string) => ({ issue, pull: "#12" });

it("says of a blocker whose work is done that its pull request waits for a merge", () => {
  expect(waitsFor(sleeper, null, [])).toBe("waits for #7, #9 to be closed");
  expect(waitsFor(sleeper, null, [merge("#9")])).toBe(
    "waits for #9: its pull request #12 waits for a merge; waits for #7 to be closed",
  );
  expect(waitsFor({ ...sleeper, blockedBy: [7] }, null, [merge("#7")])).toBe(
    "waits for #7: its pull request #12 waits for a merge",
  );
});

const says = (overrides: Partial<AgentRecord>, reason: string | null = null) =>
  waitsFor(anAgent({ state: "SLEEPING", ...overrides }), reason === null ? null : { reason }, []);

it("names the pull request of a review where there is one", () => {
  expect(says({ sleepReason: "review", prNumber: 50 })).toBe("waits for a review of #50");
  expect(says({ sleepReason: "review", prNumber: null })).toBe("waits for a review");
});

it("says when it tries again, where a time is set, before what failed: a long cause is cut at its end", () => {
  const failed = "retry: the agent's process died";
  expect(says({ sleepReason: "retry", dueAt: AT }, failed)).toBe(
    `waits to try again, not before ${moment(AT)}: the agent's process died`,
  );
  expect(says({ sleepReason: "retry", dueAt: null }, failed)).toBe(
    "waits to try again: the agent's process died",
  );
  expect(says({ sleepReason: "retry", dueAt: AT })).toBe(`waits to try again, not before ${moment(AT)}`);
});

it("says of one that is paused, and of one that waits for nothing, that it is paused", () => {
  expect([says({ sleepReason: "paused" }), says({ sleepReason: null })]).toEqual(["paused", "paused"]);
});
