import { beforeEach, describe, expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import type { SessionState } from "../../../src/domain/agents/session.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { insertAgent, run, session, task } from "./samples.ts";

const NOW = 1_000_000;
const ID = "flotilla-7f4a-1";
type AgentFields = Parameters<typeof insertAgent>[1];

let store: OpenStore;

beforeEach(async () => {
  store = memoryStore();
  return () => store.close();
});

/** The rules that an agent breaks whose present conversation is in that state. */
async function broken(fields: AgentFields, state: SessionState): Promise<readonly string[]> {
  const agent = await insertAgent(store, { issue: 1, coder: true, sessionId: ID, ...fields });
  await store.records.insert("run", run({ agentId: agent.id, issue: 1, state: "executing" }));
  await store.records.insert("session", session({ agentId: agent.id, sessionId: ID, state }));
  const held = { assigneeId: agent.id, worktree: "w", leaseUntil: NOW };
  await store.records.insert("task", task({ issue: 1, state: "CLAIMED", ...held }));
  return (await store.checkInvariants(NOW)).map(({ rule }) => rule);
}

const active = { state: "ACTIVE", token: 1, leaseUntil: NOW + 1 } as const;
const asleep = { state: "SLEEPING", sleepingSince: 5 } as const;
const review = { ...asleep, sleepReason: "review" } as const;
const approval = { ...asleep, sleepReason: "approval" } as const;
const heldAtLimit = { ...approval, heldBy: ["sprint" as const] };
const held = { ...review, heldBy: ["person" as const] };

describe("an agent at work", () => {
  test.each(["stopping", "stopped", "failed"] as const)("has no conversation that is %s", async (state) => {
    expect(await broken(active, state)).toEqual(["active_has_live_conversation"]);
  });

  test.each(["starting", "running", "idle", "waiting_approval", "paused"] as const)(
    "may have one that is %s: it is opened, talks, or is just being woken",
    async (state) => {
      expect(await broken(active, state)).toEqual([]);
    },
  );
});

describe("an agent at rest has a conversation that says why", () => {
  test.each([
    ["that waits for its review", review, "idle"],
    ["that waits for approval", approval, "waiting_approval"],
    ["that is held", held, "paused"],
    ["that is held while it waits for approval", heldAtLimit, "paused"],
    ["that a person is asked about", { state: "ESCALATED" } as const, "idle"],
  ] as const)("one %s: %j is %s", async (_, fields, expected) => {
    expect(await broken({ ...fields }, expected)).toEqual([]);
  });

  test.each([
    [review, "waiting_approval"],
    [review, "paused"],
    [approval, "idle"],
    [approval, "paused"],
    [held, "idle"],
    [{ state: "ESCALATED" } as const, "waiting_approval"],
  ] as const)("%j is not %s", async (fields, state) => {
    expect(await broken({ ...fields }, state)).toEqual(["resting_conversation_says_why"]);
  });

  test.each(["stopped", "failed"] as const)("or one that is %s, and begins again with it", async (state) => {
    expect(await broken(review, state)).toEqual([]);
  });
});
