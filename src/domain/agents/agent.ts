import type { Effect } from "../kernel/effect.ts";
import type { Machine } from "../kernel/state-machine.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { ResolvedAgentEvent } from "./agent-event.ts";
import { AGENT_STATES, type AgentRecord, type AgentState } from "./agent-record.ts";
import { beginningRules } from "./agent-rules-beginning.ts";
import { endingRules } from "./agent-rules-ending.ts";
import { sleepingRules } from "./agent-rules-sleeping.ts";
import { wakingRules } from "./agent-rules-waking.ts";

const rules = [...beginningRules, ...sleepingRules, ...wakingRules, ...endingRules];

/** One attempt of one role on one issue. It sleeps and wakes, and survives restarts. */
export const agentMachine: Machine<AgentState, AgentRecord, ResolvedAgentEvent, Effect, AgentEmission> = {
  name: "agent",
  states: AGENT_STATES,
  terminal: ["COMPLETED", "FAILED", "CANCELLED"],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The initial values of a record that does not exist yet. */
export const newAgentRecord: AgentRecord = {
  id: 0,
  version: 0,
  state: "CREATED",
  repositoryId: 0,
  name: "",
  role: "",
  issue: 0,
  attempt: 1,
  coder: false,
  line: null,
  ephemeral: false,
  model: null,
  allowedTools: null,
  temperature: null,
  planFirst: false,
  heldBy: [],
  sleepReason: null,
  dueAt: null,
  blockedBy: [],
  blockedElsewhere: [],
  sessionId: null,
  sessionCount: 0,
  branch: null,
  baseCommit: null,
  headCommit: null,
  worktreePath: null,
  prNumber: null,
  parentAgentId: null,
  runtime: "",
  mode: "continuous",
  node: "local",
  labels: [],
  tags: [],
  ttlMs: null,
  reason: null,
  category: null,
  breaker: null,
  createdAt: 0,
  activeSince: null,
  sleepingSince: null,
  reminders: 0,
  lastActivityAt: null,
  endedAt: null,
  wakes: 0,
  turns: 0,
  toolCalls: 0,
  tokens: 0,
  costMicroUsd: 0,
  activeMs: 0,
  restarts: 0,
  nudges: 0,
  extraTurns: 0,
  extraToolCalls: 0,
  extraWakes: 0,
  extraTokens: 0,
  extraCostMicroUsd: 0,
  extraActiveMs: 0,
  extensions: 0,
  warned: [],
  leaseUntil: null,
  token: 0,
};
