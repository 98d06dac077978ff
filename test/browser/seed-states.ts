import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { blankRun, type RunRecord } from "../../src/domain/agents/run.ts";
import { newTaskRecord, type TaskRecord } from "../../src/domain/tasks/task-record.ts";
import { anAgent } from "../factories/records.ts";
import type { Stage } from "./stage.ts";

interface Case {
  readonly issue: number;
  readonly phase: RunRecord["state"];
  readonly agent: Partial<AgentRecord>;
  readonly task?: TaskRecord["state"];
  readonly says: string;
}

/** One agent in each state, and what its page says first. */
export const CASES: readonly Case[] = [
  { issue: 61, phase: "idle", agent: { state: "CREATED" }, says: "About to start" },
  {
    issue: 62,
    phase: "failed",
    agent: { state: "FAILED", reason: "the limit `max_turns` is reached" },
    task: "UNCLAIMED",
    says: "Failed",
  },
  {
    issue: 63,
    phase: "waiting_agent",
    agent: { state: "SLEEPING", sleepReason: "blocked", blockedBy: [33] },
    says: "Waiting for #33",
  },
  {
    issue: 64,
    phase: "paused",
    agent: { state: "SLEEPING", sleepReason: "paused", heldBy: ["commit"] },
    says: "Paused",
  },
  {
    issue: 65,
    phase: "succeeded",
    agent: { state: "COMPLETED", reason: "It is done.", prNumber: 70, turns: 9 },
    task: "APPROVED",
    says: "Done: pull request #70 is ready to merge",
  },
  {
    issue: 66,
    phase: "succeeded",
    agent: { state: "COMPLETED", role: "triage", coder: false, branch: null, turns: 2 },
    says: "Done",
  },
  {
    issue: 67,
    phase: "cancelled",
    agent: { state: "CANCELLED", reason: "@alice cancelled it" },
    says: "Cancelled",
  },
];

/** Adds the agents of `CASES`, those that have ended long ago. */
export async function seedCases({ store }: Stage, now: number): Promise<void> {
  for (const { issue, phase, agent, task } of CASES) {
    const role = agent.role ?? "feat-dev";
    const isEnded =
      agent.endedAt !== undefined || ["COMPLETED", "FAILED", "CANCELLED"].includes(agent.state ?? "");
    const added = await store.records.insert("agent", {
      ...anAgent({ state: agent.state ?? "ACTIVE" }),
      sessionId: null,
      sleepReason: null,
      prNumber: null,
      branch: `flotilla/${role}/issue-${issue}`,
      name: `${role}-issue-${issue}`,
      role,
      issue,
      createdAt: now - 90 * 86_400_000,
      endedAt: isEnded ? now - 80 * 86_400_000 : null,
      ...agent,
    });
    const own = { agentId: added.id, repositoryId: 7, issue };
    await store.records.insert("run", { ...blankRun, ...own, state: phase });
    await store.records.insert("task", {
      ...newTaskRecord,
      repositoryId: 7,
      issue,
      title: `Issue number ${issue}`,
      state: task ?? "CLAIMED",
      assigneeId: added.id,
      createdAt: now,
    });
  }
}
