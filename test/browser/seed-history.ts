import type { Store } from "../../src/domain/ports/store.ts";
import { newTaskRecord } from "../../src/domain/tasks/task-record.ts";
import { anAgent } from "../factories/records.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How many days ago an agent ended, what it cost in US dollars, and what came of it. */
const ENDS = [
  [27, 1.2, "MERGED"],
  [25, 0.84, "MERGED"],
  [24, 2.31, "ABANDONED"],
  [20, 1.07, "MERGED"],
  [20, 0.66, "MERGED"],
  [18, 3.4, "ABANDONED"],
  [13, 0.92, "MERGED"],
  [12, 1.75, "MERGED"],
  [12, 1.1, "MERGED"],
  [6, 0.71, "MERGED"],
  [5, 2.2, "MERGED"],
  [3, 1.33, "MERGED"],
  [1, 0.95, "MERGED"],
] as const;

/** What the days before came to: work that was merged or given up, what it cost, and what people did for it. */
export async function seedHistory(store: Store, now: number): Promise<void> {
  for (const [index, [days, cost, state]] of ENDS.entries()) {
    const issue = index + 1;
    const end = now - days * DAY;
    const isMerged = state === "MERGED";
    const agent = await store.records.insert("agent", {
      ...anAgent({ state: isMerged ? "COMPLETED" : "FAILED" }),
      sessionId: null,
      name: `feat-dev-issue-${issue}`,
      role: "feat-dev",
      issue,
      branch: null,
      createdAt: end - 5 * HOUR,
      endedAt: end,
      costMicroUsd: cost * 1e6,
    });
    const task = await store.records.insert("task", {
      ...newTaskRecord,
      repositoryId: 7,
      issue,
      title: `Work of ${days} days ago`,
      assigneeId: agent.id,
      state,
      createdAt: end - 5 * HOUR,
    });
    const move = (machine: "agent" | "task", at: number, from: string, to: string) =>
      store.transitions.add({
        at,
        machine,
        recordId: machine === "agent" ? agent.id : task.id,
        agentId: agent.id,
        repositoryId: 7,
        issue,
        actor: "flotilla",
        event: "MOVE",
        from,
        to,
        reason: null,
        evidence: null,
        delivery: null,
      });
    await move("agent", end - 5 * HOUR, "CREATED", "ACTIVE");
    await move("agent", end - 4 * HOUR, "ACTIVE", "SLEEPING");
    await move("agent", end - HOUR, "SLEEPING", "ACTIVE");
    await move("agent", end, "ACTIVE", isMerged ? "COMPLETED" : "FAILED");
    await move("task", end, "APPROVED", state);
    await store.usage.add({
      agentId: agent.id,
      model: "gpt-4.1",
      inputTokens: 240_000,
      outputTokens: 9000,
      cachedTokens: 80_000,
      costMicroUsd: Math.round(cost * 1e6),
      at: end,
    });
    await store.ledger.touch({ repositoryId: 7, issue, kind: "review", key: `review:${issue}`, at: end });
  }
}
