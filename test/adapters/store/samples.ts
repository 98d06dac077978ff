import { newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { RunRecord } from "../../../src/domain/agents/run.ts";
import type { SessionRecord } from "../../../src/domain/agents/session.ts";
import type {
  NewDelivery,
  NewEffect,
  RepositoryRow,
  TransitionRow,
  WakeRow,
} from "../../../src/domain/kernel/rows.ts";
import type { Tables } from "../../../src/domain/ports/store.ts";
import type { SeenCheck } from "../../../src/domain/ports/work-tables.ts";
import type { TaskRecord } from "../../../src/domain/tasks/task-record.ts";

/** Records as a test needs them: whole, plausible, and different only where the test says. */
export const repository: RepositoryRow = {
  id: 7,
  owner: "acme",
  name: "rocket",
  installationId: 3,
  private: true,
  defaultBranch: "main",
};

export const agent = (fields: Partial<AgentRecord> = {}): AgentRecord => ({
  ...newAgentRecord,
  runtime: "copilot",
  repositoryId: repository.id,
  role: "feat-dev",
  issue: 42,
  name: `${fields.role ?? "feat-dev"}-issue-${fields.issue ?? 42}`,
  createdAt: 1000,
  ...fields,
});

export const run = (fields: Partial<RunRecord> & Pick<RunRecord, "agentId">): RunRecord => ({
  id: 0,
  version: 0,
  state: "idle",
  repositoryId: repository.id,
  issue: 42,
  attempt: 1,
  remembered: null,
  plan: null,
  step: 0,
  iteration: 0,
  bounces: 0,
  confidence: null,
  waitingFor: null,
  error: null,
  errorCode: null,
  createdAt: 1000,
  ...fields,
});

export const session = (fields: Partial<SessionRecord> & Pick<SessionRecord, "agentId">): SessionRecord => ({
  id: 0,
  version: 0,
  state: "starting",
  sessionId: "flotilla-0123456789abcdef-1",
  reason: null,
  model: null,
  runtimeVersion: null,
  instructions: [],
  pictures: [],
  lives: 1,
  createdAt: 1000,
  destroyedAt: null,
  ...fields,
});

export const task = (fields: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 0,
  version: 0,
  state: "UNCLAIMED",
  repositoryId: repository.id,
  issue: 42,
  title: "Add a launch button",
  assigneeId: null,
  leaseUntil: null,
  line: null,
  worktree: null,
  base: null,
  backport: null,
  baseCommit: null,
  reviewCommit: null,
  carriedFrom: [],
  verdicts: [],
  riskAbove: null,
  mergeCommit: null,
  rejectionReason: null,
  rejectionSource: null,
  blockedReason: null,
  integrationReason: null,
  supersededBy: null,
  rescopeReason: null,
  abandonedReason: null,
  integrationFix: false,
  reviewCyclesCurrent: 0,
  reviewCyclesTotal: 0,
  roundsGranted: 0,
  failedBy: [],
  sprintId: null,
  createdAt: 1000,
  ...fields,
});

export const effect = (fields: Partial<NewEffect> & Pick<NewEffect, "key">): NewEffect => ({
  lane: "issue:7#42",
  repositoryId: repository.id,
  issue: 42,
  agentId: null,
  token: null,
  payload: { kind: "add_labels", labels: ["agent"] },
  createdAt: 1000,
  ...fields,
});

export const delivery = (fields: Partial<NewDelivery> & Pick<NewDelivery, "guid">): NewDelivery => ({
  event: "issues",
  action: "opened",
  installationId: 3,
  repositoryId: repository.id,
  lane: "7#42",
  payload: '{"action":"opened"}',
  receivedAt: 1000,
  ...fields,
});

export const wake = (fields: Partial<WakeRow> & Pick<WakeRow, "key" | "agentId">) => ({
  reason: "blocker" as const,
  detail: "#41 was closed",
  grant: null,
  dueAt: 1000,
  createdAt: 1000,
  ...fields,
});

/** An agent in the database, with the repository that it belongs to. */
export async function insertAgent(tables: Tables, fields: Partial<AgentRecord> = {}): Promise<AgentRecord> {
  await tables.repositories.put(repository);
  return tables.records.insert("agent", agent(fields));
}

/** What is told of a long sleeper without reading it. */
export const waited = ({ id, sleepingSince }: AgentRecord) => ({ id, sleepingSince });

/** A check of CI that failed. */
export const redCheck: SeenCheck = {
  repositoryId: repository.id,
  ref: "c1",
  name: "test",
  run: "1",
  state: "red",
  conclusion: "failure",
  fingerprint: "abc",
  job: "test",
  step: "npm test",
  log: "1 failed",
  excused: false,
  rerun: null,
  rerunAt: null,
  seenAt: 10,
};

/** The decision that a start waits, because all slots are in use. */
export const refusedStart = {
  at: 10,
  repositoryId: repository.id,
  issue: 42,
  agentId: null,
  rule: "slot",
  reason: "all slots are in use",
  change: null,
  inputs: {},
} as const;

/** The start of an agent; the tests add the agent, where it belongs and when it was. */
export const started: Omit<TransitionRow, "id" | "issue" | "repositoryId"> = {
  at: 10,
  machine: "agent",
  recordId: 1,
  agentId: null,
  actor: "flotilla",
  event: "START",
  from: "CREATED",
  to: "ACTIVE",
  reason: null,
  evidence: null,
  delivery: null,
};
