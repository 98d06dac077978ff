import { newAgentRecord } from "../../src/domain/agents/agent.ts";
import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import { blankRun, type RunRecord } from "../../src/domain/agents/run.ts";
import { blankSession, type SessionRecord } from "../../src/domain/agents/session.ts";
import { newTaskRecord, type TaskRecord } from "../../src/domain/tasks/task-record.ts";
import { AT, HOUR } from "./moment.ts";

/**
 * Builds a feat-dev that works on issue 42 of repository 7, with the fields that its state requires: an ACTIVE agent
 * has a period and a lease, a SLEEPING one a reason, an ended one its end. Overrides take precedence.
 */
export function anAgent(overrides: Partial<AgentRecord> = {}): AgentRecord {
  const state = overrides.state ?? "ACTIVE";
  return {
    ...newAgentRecord,
    runtime: "copilot",
    id: 11,
    version: 3,
    repositoryId: 7,
    name: "feat-dev-issue-42",
    role: "feat-dev",
    issue: 42,
    coder: true,
    branch: "flotilla/feat-dev/issue-42",
    createdAt: AT - 2 * HOUR,
    ...(state === "CREATED" ? {} : BEGUN),
    ...BY_STATE[state],
    ...overrides,
    state,
  };
}

const BEGUN: Partial<AgentRecord> = {
  sessionId: "flotilla-0123456789abcdef-1",
  sessionCount: 1,
  worktreePath: "/data/worktrees/7/feat-dev-issue-42",
  baseCommit: "a".repeat(40),
  lastActivityAt: AT - HOUR,
  token: 1,
};

const BY_STATE: Readonly<Record<AgentRecord["state"], Partial<AgentRecord>>> = {
  CREATED: {},
  ACTIVE: { activeSince: AT - HOUR, leaseUntil: AT + HOUR },
  SLEEPING: { sleepReason: "question", sleepingSince: AT - HOUR },
  ESCALATED: { sleepingSince: AT - HOUR, reason: "it needs a decision", category: "decision" },
  COMPLETED: { endedAt: AT - HOUR, reason: "It is done." },
  FAILED: { endedAt: AT - HOUR, reason: "It broke." },
  CANCELLED: { endedAt: AT - HOUR, reason: "nobody needs it" },
};

/** Builds the run of `anAgent`, executing. */
export function aRun(overrides: Partial<RunRecord> = {}): RunRecord {
  return {
    ...blankRun,
    id: 21,
    version: 3,
    state: "executing",
    agentId: 11,
    repositoryId: 7,
    issue: 42,
    createdAt: AT - 2 * HOUR,
    ...overrides,
  };
}

/** Builds the conversation of `anAgent`, running. */
export function aSession(overrides: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...blankSession,
    id: 31,
    version: 2,
    state: "running",
    agentId: 11,
    sessionId: "flotilla-0123456789abcdef-1",
    lives: 1,
    createdAt: AT - HOUR,
    ...overrides,
  };
}

/** Builds the task of issue 42, claimed by `anAgent`. */
export function aTask(overrides: Partial<TaskRecord> = {}): TaskRecord {
  return {
    ...newTaskRecord,
    id: 41,
    version: 2,
    state: "CLAIMED",
    repositoryId: 7,
    issue: 42,
    title: "Add a dark mode",
    assigneeId: 11,
    line: 11,
    worktree: "feat-dev-issue-42",
    leaseUntil: AT + HOUR,
    createdAt: AT - 2 * HOUR,
    ...overrides,
  };
}
