import { z } from "zod";
import { temperature } from "./temperature.ts";

export const AGENT_STATES = [
  "CREATED",
  "ACTIVE",
  "SLEEPING",
  "ESCALATED",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** States in which an agent still has something to do. */
export const LIVE_AGENT_STATES = ["CREATED", "ACTIVE", "SLEEPING", "ESCALATED"] as const;

export const SLEEP_REASONS = [
  "blocked",
  "review",
  "question",
  "approval",
  "checks",
  "provider_limit",
  "retry",
  "restart",
  "time",
  "paused",
] as const;
export type SleepReason = (typeof SLEEP_REASONS)[number];

export const WAKE_REASONS = [
  "blocker",
  "review",
  "answer",
  "approval",
  "checks",
  "limit_reset",
  "retry",
  "restart",
  "time",
  "message",
  "base_moved",
  "resumed",
] as const;
export type WakeReason = (typeof WAKE_REASONS)[number];

/** Wakes that count against `max_iterations`; the others are free. */
export const COUNTED_WAKES: readonly WakeReason[] = ["blocker", "checks", "time", "base_moved"];

/** `lock` = the issue is locked. */
const HOLDERS = ["person", "commit", "sprint", "incident", "lock", "invariant"] as const;
export type Holder = (typeof HOLDERS)[number];

/** Times are milliseconds since the epoch; durations carry their unit in the name. */
export const agentRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(AGENT_STATES),
  repositoryId: z.int(),
  /** The part of the key after the colon: `feat-dev-issue-42`, `feat-dev-issue-42.2`, `triage-issue-7-1766361600`. */
  name: z.string(),
  role: z.string(),
  issue: z.int(),
  attempt: z.int(),
  coder: z.boolean(),
  /** The first attempt of the coder that this agent continues as; null = the agent itself. See `lineOf`. */
  line: z.int().nullable(),
  ephemeral: z.boolean(),
  /** The model that its start chose; null = its role's. See `roleOfAttempt`. */
  model: z.string().nullable(),
  /** The capabilities and tools of its role that its start left it; null = all. */
  allowedTools: z.array(z.string()).nullable(),
  /** The temperature that its start chose; null = its role's. */
  temperature: temperature.nullable(),
  /** The agent changes nothing before a person has approved its plan. */
  planFirst: z.boolean(),
  heldBy: z.array(z.enum(HOLDERS)),
  sleepReason: z.enum(SLEEP_REASONS).nullable(),
  /** When a sleep for retry, provider_limit or time ends. */
  dueAt: z.int().nullable(),
  /** Numbers of the issues in the same repository that the agent waits for. */
  blockedBy: z.array(z.int()),
  /** Issues of other repositories that the agent waits for; the repository's name is as it was when the wait began. */
  blockedElsewhere: z.array(
    z.strictObject({ repositoryId: z.int(), repository: z.string(), number: z.int() }),
  ),
  sessionId: z.string().nullable(),
  sessionCount: z.int(),
  branch: z.string().nullable(),
  baseCommit: z.string().nullable(),
  /** The branch's head after Flotilla's last push. */
  headCommit: z.string().nullable(),
  worktreePath: z.string().nullable(),
  prNumber: z.int().nullable(),
  parentAgentId: z.int().nullable(),
  runtime: z.string(),
  mode: z.enum(["continuous", "one_shot"]),
  node: z.string(),
  labels: z.array(z.string()),
  tags: z.array(z.string()),
  ttlMs: z.int().nullable(),
  /** Why the agent is ESCALATED, FAILED, CANCELLED or COMPLETED, in words for people. */
  reason: z.string().nullable(),
  category: z.string().nullable(),
  /** The breaker that stopped the agent last; null when none did. */
  breaker: z.string().nullable(),
  createdAt: z.int(),
  activeSince: z.int().nullable(),
  sleepingSince: z.int().nullable(),
  /** Number of reminders to people in the agent's present sleep or escalation. */
  reminders: z.int(),
  lastActivityAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  wakes: z.int(),
  turns: z.int(),
  toolCalls: z.int(),
  tokens: z.int(),
  /** Millionths of a US dollar. */
  costMicroUsd: z.int(),
  activeMs: z.int(),
  /** Restarts after a crash since the last successful exchange. */
  restarts: z.int(),
  /** Exchanges in a row that ended without a report. */
  nudges: z.int(),
  /** Turns granted by people on top of the role's limits. */
  extraTurns: z.int(),
  extraToolCalls: z.int(),
  extraWakes: z.int(),
  extraTokens: z.int(),
  extraCostMicroUsd: z.int(),
  extraActiveMs: z.int(),
  /** How often a breaker's limit was raised by half without a person's own figure; at most twice. */
  extensions: z.int(),
  /** Limits whose warning was sent, as `<limit>:<allowed>`: a raised limit is warned of again. */
  warned: z.array(z.string()),
  leaseUntil: z.int().nullable(),
  /** Fencing token: raised at each START, WAKE, RESUME; never reused. */
  token: z.int(),
});
export type AgentRecord = z.infer<typeof agentRecord>;

/** Counters change by `SET n = n + 1` between moves; a move never writes them. */
export const AGENT_COUNTERS = [
  "turns",
  "toolCalls",
  "tokens",
  "costMicroUsd",
] as const satisfies readonly (keyof AgentRecord)[];
export type AgentCounter = (typeof AGENT_COUNTERS)[number];

/**
 * Returns the id by which a task knows its coder: a REOPENed attempt keeps that of the attempt before it, a REVIVEd one
 * has its own.
 */
export function lineOf(agent: Pick<AgentRecord, "id" | "line">): number {
  return agent.line ?? agent.id;
}

/** Returns whether the agent works on a pull request of a person, which stands in the place of its issue. */
export function isOnPull(agent: Pick<AgentRecord, "issue" | "prNumber">): boolean {
  return agent.prNumber === agent.issue;
}

export function isLive(agent: Pick<AgentRecord, "state">): boolean {
  return (LIVE_AGENT_STATES as readonly string[]).includes(agent.state);
}

/** What a person adds to an agent's limits. */
export interface Grant {
  /** Logins of those who granted. */
  readonly by: readonly string[];
  readonly turns: number;
  readonly toolCalls: number;
  readonly wakes: number;
  readonly tokens: number;
  /** Millionths of a US dollar. */
  readonly costMicroUsd: number;
  readonly activeMs: number;
  /** Additional rounds of review after a deadlock; 0 = as many as `review.max_cycles` says. */
  readonly rounds: number;
}
