import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { blankRun, type RunRecord } from "../../src/domain/agents/run.ts";
import { blankGoal } from "../../src/domain/planning/goal.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { newTaskRecord, type TaskRecord } from "../../src/domain/tasks/task-record.ts";
import { anAgent } from "../factories/records.ts";
import { seedEvidence } from "./seed-evidence.ts";
import { COMMIT } from "./seed-screens.ts";
import { seedStory } from "./seed-story.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Texts of issues and agents; the tests of attacks put others in their place. */
export interface Texts {
  readonly title: string;
  readonly reason: string;
  readonly said: string;
  readonly input: string;
}

const TEXTS: Texts = {
  title: "Orders above 10,000 lines time out when they are exported",
  reason:
    "Two migrations change the same column and the newer one has no way back. Which of them shall stay?",
  said: "The export builds the whole file in memory. I will stream it in pages of 500 rows and keep the header.",
  input: '{"command":"npm test -- export"}',
};

/** Rows as they stand in the middle of a day: two agents at work, three that wait for people, one that sleeps, one that ended. */
export async function seedDay(
  store: Store,
  now: number,
  texts: Texts = TEXTS,
): Promise<{ readonly working: AgentRecord }> {
  await store.repositories.put({
    id: 7,
    owner: "acme",
    name: "shop",
    installationId: 1,
    private: true,
    defaultBranch: "main",
  });
  const add = async (
    issue: number,
    title: string,
    task: Pick<TaskRecord, "state">,
    phase: RunRecord["state"],
    fields: Partial<AgentRecord>,
  ): Promise<AgentRecord> => {
    const role = fields.role ?? "feat-dev";
    const agent = await store.records.insert("agent", {
      ...anAgent({ state: fields.state ?? "ACTIVE" }),
      sessionId: null,
      name: `${role}-issue-${issue}`,
      role,
      issue,
      branch: `flotilla/${role}/issue-${issue}`,
      createdAt: now - 3 * HOUR,
      lastActivityAt: now - 20_000,
      ...fields,
    });
    // What it used, as the ledger counts it.
    await store.usage.add({
      agentId: agent.id,
      model: "gpt-4.1",
      inputTokens: agent.tokens,
      outputTokens: 0,
      cachedTokens: 0,
      costMicroUsd: agent.costMicroUsd,
      at: now,
    });
    await store.records.insert("run", {
      ...blankRun,
      agentId: agent.id,
      repositoryId: 7,
      issue,
      state: phase,
    });
    await store.records.insert("task", {
      ...newTaskRecord,
      repositoryId: 7,
      issue,
      title,
      assigneeId: agent.id,
      ...task,
    });
    return agent;
  };
  const working = await add(41, texts.title, { state: "CLAIMED" }, "executing", {
    state: "ACTIVE",
    activeSince: now - 12 * MINUTE,
    leaseUntil: now + HOUR,
    turns: 17,
    toolCalls: 46,
    tokens: 384_200,
    costMicroUsd: 1_310_000,
    prNumber: 48,
    headCommit: COMMIT,
    ttlMs: 8 * HOUR,
    model: "gpt-5",
    allowedTools: ["read", "edit"],
    temperature: 0.2,
    labels: ["team=core"],
    tags: ["urgent", "x".repeat(50)],
  });
  await add(39, "Show the delivery date in the customer's own time zone", { state: "CLAIMED" }, "planning", {
    state: "ACTIVE",
    activeSince: now - 2 * MINUTE,
    leaseUntil: now + HOUR,
    turns: 3,
    toolCalls: 7,
    tokens: 41_800,
    costMicroUsd: 120_000,
  });
  await add(33, "Drop the legacy price column", { state: "CLAIMED" }, "paused", {
    state: "ESCALATED",
    sleepingSince: now - 5 * HOUR,
    reason: texts.reason,
    turns: 22,
    tokens: 512_000,
    costMicroUsd: 1_900_000,
  });
  const asks = await add(
    36,
    "Add a filter by warehouse to the stock list",
    { state: "CLAIMED" },
    "waiting_input",
    {
      state: "SLEEPING",
      sleepReason: "question",
      sleepingSince: now - 2 * HOUR,
      turns: 9,
      tokens: 150_400,
      costMicroUsd: 540_000,
    },
  );
  await store.questions.add({
    agentId: asks.id,
    text: "Shall the filter remember its last value for each person, or start empty?",
    options: [
      { name: "remember it", destructive: false },
      { name: "start empty", destructive: false },
    ],
    recommended: "remember it",
    defaultOption: null,
    deadlineAt: now + HOUR,
    askedOf: ["alice"],
    createdAt: now - 2 * HOUR,
  });
  const risky = await add(44, "Use the carrier's new rates", { state: "CLAIMED" }, "waiting_approval", {
    state: "SLEEPING",
    sleepReason: "approval",
    sleepingSince: now - 35 * MINUTE,
    turns: 6,
    tokens: 98_000,
    costMicroUsd: 310_000,
  });
  await store.approvals.ask({
    agentId: risky.id,
    token: risky.token,
    kind: "network",
    detail: "curl",
    tool: "bash",
    input: '{"command":"curl -s https://rates.example/v2/tables.json -o data/rates.json"}',
    hash: "4f".repeat(32),
    createdAt: now - 35 * MINUTE,
  });
  await add(37, "Refunds need a reason", { state: "CLAIMED" }, "waiting_agent", {
    state: "SLEEPING",
    sleepReason: "blocked",
    blockedBy: [33],
    sleepingSince: now - 4 * HOUR,
    turns: 5,
    tokens: 77_000,
    costMicroUsd: 240_000,
  });
  await add(30, "Sort the orders by date", { state: "MERGED" }, "succeeded", {
    state: "COMPLETED",
    endedAt: now - HOUR,
    reason: "pull request #35 was merged",
    turns: 14,
    tokens: 240_000,
    costMicroUsd: 830_000,
    prNumber: 35,
  });
  await store.records.insert("task", {
    ...newTaskRecord,
    repositoryId: 7,
    issue: 50,
    title: "Translate the invoice",
    state: "UNCLAIMED",
  });
  const goal = {
    ...blankGoal,
    repositoryId: 7,
    issue: 28,
    title: texts.title,
    parts: [30, 33, 41],
    createdAt: now - HOUR,
  };
  await store.records.insert("goal", goal);
  await seedStory(store, working, now, texts);
  await seedEvidence(store, working, now);
  return { working };
}
