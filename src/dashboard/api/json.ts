import { agentKey } from "../../domain/agents/agent-key.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { pauseLift, type ScopePauseRow } from "../../domain/breakers/scope.ts";
import { decisionText } from "../../domain/kernel/decision-text.ts";
import type { Effect } from "../../domain/kernel/effect.ts";
import { EFFECT_WORDS } from "../../domain/kernel/effect-words.ts";
import { deliveryFailure, effectFailure } from "../../domain/kernel/failure-text.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type {
  DecisionRow,
  DeliveryRow,
  RepositoryRow,
  RunEventRow,
  TransitionRow,
} from "../../domain/kernel/rows.ts";
import type { EffectWithAgent } from "../../domain/ports/lists.ts";
import { type AgentStatusFacts, agentStatus } from "../../domain/status/agent-status.ts";

/** Formats rows for the API: snake_case, ISO 8601 times, no secrets. */

export function agentJson(
  agent: AgentRecord,
  repository: RepositoryRow | undefined,
  /**
   * Formats an agent, with the name of the agent that it was created for, when its run entered its state, and the model
   * of its conversation.
   */
  around: AgentStatusFacts & {
    readonly parent: string | null;
    readonly phaseSince: number | null;
    readonly sessionModel: string | null;
    readonly runtimeVersion: string | null;
  },
) {
  const { run, holds, parent, phaseSince, sessionModel, runtimeVersion } = around;
  const { now, next } = agentStatus(agent, around);
  const name = repository === undefined ? String(agent.repositoryId) : fullName(repository);
  return {
    key: agentKey(name, agent.name),
    repository: name,
    role: agent.role,
    issue: agent.issue,
    attempt: agent.attempt,
    state: agent.state,
    phase: run?.state ?? null,
    phase_since: iso(phaseSince),
    /** What it does, what it waits for or how it ended, and what a person can do; the same as on the issue. */
    now,
    next,
    branch: agent.branch,
    pr: agent.prNumber,
    sleep_reason: agent.sleepReason,
    blocked_by: agent.blockedBy,
    blocked_elsewhere: agent.blockedElsewhere.map(({ repository: of, number }) => `${of}#${number}`),
    held_by: agent.heldBy,
    /** What holds it at the moment, with what ends each hold. */
    holds,
    reason: agent.reason,
    breaker: agent.breaker,
    session: agent.sessionId,
    parent: parent === null ? null : agentKey(name, parent),
    mode: agent.mode,
    runtime: agent.runtime,
    /** Of the program that it runs, or ran last, as; null before it was started, or where nobody knows it. */
    runtime_version: runtimeVersion,
    node: agent.node,
    /** The model of its conversation; before that begins, the one that its start chose. */
    model: sessionModel ?? agent.model,
    /** The capabilities and tools that its start left it, besides those that every attempt keeps; null = all. */
    tools: agent.allowedTools,
    /** The temperature that its start chose; null = that of its role, or the provider's own where the role has none. */
    temperature: agent.temperature,
    ...attributesJson(agent),
    turns: agent.turns,
    tool_calls: agent.toolCalls,
    tokens: agent.tokens,
    wakes: agent.wakes,
    created_at: iso(agent.createdAt),
    active_since: iso(agent.activeSince),
    sleeping_since: iso(agent.sleepingSince),
    last_activity_at: iso(agent.lastActivityAt),
  };
}

export type AgentJson = ReturnType<typeof agentJson>;

/** Formats a transition. `agent` is the agent that the row belongs to. */
export function transitionJson(
  row: TransitionRow,
  agent: AgentRecord | undefined,
): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    at: iso(row.at),
    machine: row.machine,
    agent: agent?.name ?? null,
    role: agent?.role ?? null,
    issue: row.issue,
    actor: row.actor,
    event: row.event,
    from: row.from,
    to: row.to,
    reason: row.reason,
    delivery: row.delivery,
  };
}

/** Formats an event of a run. The fields of `data` depend on its type, see `RunEvent`. */
export function runEventJson(
  row: RunEventRow,
  agent: AgentRecord | undefined,
  repository: RepositoryRow | undefined,
): Readonly<Record<string, unknown>> {
  const name = repository === undefined ? String(row.repositoryId) : fullName(repository);
  return {
    id: row.id,
    type: row.event.type,
    at: iso(row.at),
    agent: agent === undefined ? null : agentKey(name, agent.name),
    repository: name,
    issue: row.issue,
    run: row.runId,
    turn: row.turn,
    data: row.event.data,
  };
}

/**
 * Formats a decision: `what` was decided and what a person can do `next`, in words. `change` is null if nobody has to
 * do anything.
 */
export function decisionJson(row: DecisionRow): Readonly<Record<string, unknown>> {
  const { what, next } = decisionText(row);
  return {
    at: iso(row.at),
    issue: row.issue,
    rule: row.rule,
    what,
    reason: row.reason,
    change: row.change,
    next,
    inputs: row.inputs,
    count: row.count,
    last_at: iso(row.lastAt),
    delivery: row.delivery,
  };
}

export function deliveryJson(row: DeliveryRow) {
  const failure = deliveryFailure(row);
  return {
    guid: row.guid,
    event: row.event,
    action: row.action,
    state: row.state,
    attempts: row.attempts,
    note: row.note,
    why: failure?.why ?? null,
    next: failure?.next ?? null,
    received_at: new Date(row.receivedAt).toISOString(),
    settled_at: iso(row.settledAt),
  };
}

export type DeliveryJson = ReturnType<typeof deliveryJson>;

/** Formats a pause of everything or of a repository, with what lifts it. */
export function pauseJson(row: ScopePauseRow) {
  return {
    scope: row.scope,
    holder: row.holder,
    by: row.by,
    reason: row.reason,
    since: iso(row.since),
    change: pauseLift(row),
  };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Formats an effect. Leaves out its content, which is visible where it was written. */
export function effectJson({ effect: row, agent }: EffectWithAgent, repository: string) {
  const failure = effectFailure(row);
  return {
    id: row.id,
    kind: row.kind,
    /** What it does, in words. */
    what: wordsOf(row.payload),
    repository,
    issue: row.issue,
    agent: agent === null ? null : agentKey(repository, agent),
    state: row.state,
    attempts: row.attempts,
    /** True if an earlier attempt may have been carried out. */
    uncertain: row.uncertain,
    error: row.error,
    /** Why it failed for good, and what a person can do; null unless it did. */
    why: failure?.why ?? null,
    next: failure?.next ?? null,
    created_at: new Date(row.createdAt).toISOString(),
    not_before: row.notBefore === 0 ? null : new Date(row.notBefore).toISOString(),
    settled_at: row.settledAt === null ? null : new Date(row.settledAt).toISOString(),
  };
}

export type EffectJson = ReturnType<typeof effectJson>;

/** Names the receiver of a notice and the schedule of an issue, of which there may be several. */
function wordsOf(payload: Effect): string {
  if (payload.kind === "notify") return `telling \`${payload.receiver}\` of the event \`${payload.event}\``;
  if (payload.kind === "open_scheduled") return `opening the issue of the schedule \`${payload.schedule}\``;
  return EFFECT_WORDS[payload.kind];
}

/** Formats an agent's time to live, labels and tags; `ends_at` is when the time to live ends. */
export function attributesJson({
  ttlMs,
  createdAt,
  labels,
  tags,
}: Pick<AgentRecord, "ttlMs" | "createdAt" | "labels" | "tags">) {
  return {
    ttl_seconds: ttlMs === null ? null : ttlMs / 1000,
    ends_at: ttlMs === null ? null : new Date(createdAt + ttlMs).toISOString(),
    labels: Object.fromEntries(labels.map((label): [string, string] => pairOf(label))),
    tags,
  };
}

function pairOf(label: string): [key: string, value: string] {
  const at = label.indexOf("=");
  return [label.slice(0, at), label.slice(at + 1)];
}
