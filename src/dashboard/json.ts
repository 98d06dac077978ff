import { agentKey } from "../core/agent-key.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { fullName } from "../core/repository.ts";
import type { DecisionRow, DeliveryRow, RepositoryRow, RunEventRow, TransitionRow } from "../core/rows.ts";
import { pauseLift, type ScopePauseRow } from "../core/scope.ts";
import { decisionText } from "../core/text/decision.ts";
import { type StandingFacts, standing } from "../core/text/standing.ts";
import { marksJson } from "./marks-json.ts";

/** Rows as the API shows them: snake_case, times in ISO 8601, nothing secret. */

export function agentJson(
  agent: AgentRecord,
  repository: RepositoryRow | undefined,
  /** With the name of the agent for whose work it was made, and when its run came to its state. */
  around: StandingFacts & { readonly parent: string | null; readonly phaseSince: number | null },
) {
  const { run, holds, parent, phaseSince } = around;
  const { now, next } = standing(agent, around);
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
    /** What it does, waits for or came to, and what a person can do about it; as on the issue. */
    now,
    next,
    branch: agent.branch,
    pr: agent.prNumber,
    sleep_reason: agent.sleepReason,
    blocked_by: agent.blockedBy,
    blocked_elsewhere: agent.blockedElsewhere.map(({ repository: of, number }) => `${of}#${number}`),
    held_by: agent.heldBy,
    /** What holds it now, with what ends that. */
    holds,
    reason: agent.reason,
    breaker: agent.breaker,
    session: agent.sessionId,
    parent: parent === null ? null : agentKey(name, parent),
    mode: agent.mode,
    runtime: agent.runtime,
    node: agent.node,
    ...marksJson(agent),
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

/** `agent` is the one that the row belongs to. */
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

/** An event of a run; `data` is as `RunEvent` of the core says for its type. */
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

/** `what` was decided and what a person can do `next`, in words; `change` is null where nobody needs to do anything. */
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

export function deliveryJson(row: DeliveryRow): Readonly<Record<string, unknown>> {
  return {
    guid: row.guid,
    event: row.event,
    action: row.action,
    state: row.state,
    attempts: row.attempts,
    note: row.note,
    received_at: iso(row.receivedAt),
    settled_at: iso(row.settledAt),
  };
}

/** A pause of everything or of a repository, with what lifts it. */
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
