import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";

const COMMIT = "c".repeat(40);
const after = (overrides: Partial<AgentRecord>) =>
  decide(
    aDomainEvent("checks_changed", { commit: COMMIT }),
    aView({ agents: [anAgent({ id: 3, headCommit: COMMIT, ...overrides })] }),
  );

it.each<[string, Partial<AgentRecord>]>([
  ["sleeps for the checks of the commit", { state: "SLEEPING", sleepReason: "checks" }],
  ["was escalated because they took too long", { state: "ESCALATED", category: "expired" }],
])("looks at the checks of an agent that %s, without believing the news", (_, agent) => {
  expect(after(agent)).toMatchObject({
    moves: [],
    wakes: [],
    effects: [{ kind: "look_at_checks", agentId: 3 }],
  });
});

it.each(["READY_FOR_REVIEW", "APPROVED", "REJECTED", "CLAIMED"] as const)(
  "looks at what is %s with that commit",
  (state) => {
    const seen = (reviewCommit: string) =>
      decide(
        aDomainEvent("checks_changed", { commit: COMMIT }),
        aView({ task: aTask({ id: 8, state, reviewCommit }) }),
      );
    const mergeQueue = state === "APPROVED" ? [{ kind: "look_at_train" }] : [];
    expect(seen(COMMIT).effects).toEqual([{ kind: "look_at_review_checks", task: 8 }, ...mergeQueue]);
    expect(seen("d").decisions).toMatchObject([{ rule: "nobody_waits" }]);
  },
);

it("does not look at what nobody holds any more", () => {
  const task = aTask({ state: "UNCLAIMED", reviewCommit: COMMIT });
  expect(decide(aDomainEvent("checks_changed", { commit: COMMIT }), aView({ task })).effects).toEqual([]);
});

it.each<[string, Partial<AgentRecord>]>([
  ["sleeps for something else", { state: "SLEEPING", sleepReason: "review" }],
  ["is at work", { state: "ACTIVE", sleepReason: null }],
  ["waits for the checks of another commit", { state: "SLEEPING", sleepReason: "checks", headCommit: "d" }],
  ["asked a person", { state: "ESCALATED", category: "decision" }],
])("decides that nobody waits when the agent %s", (_, agent) => {
  expect(after(agent)).toMatchObject({ effects: [], decisions: [{ rule: "nobody_waits" }] });
});
