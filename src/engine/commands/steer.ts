import { type AgentRecord, isLive, isOnPull } from "../../domain/agents/agent-record.ts";
import { isInError } from "../../domain/agents/own-wake.ts";
import { type Hold, holdEnds, holdsOf } from "../../domain/breakers/hold.ts";
import { limitFault } from "../../domain/breakers/limit-fault.ts";
import { OperationError, type OperationFault } from "../../domain/commands/operation-fault.ts";
import { guardAgentOperation } from "../../domain/commands/operations.ts";
import { pauses, resumes, revives, triesNow } from "../../domain/commands/steer.ts";
import { wordsOf } from "../../domain/decisions/rules.ts";
import type { ChangeSet, Move } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import { wouldChange } from "../../domain/kernel/would-change.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { personNamed } from "../../domain/status/person-named.ts";
import { endedCoder, givesUp, resumesDeadlocked } from "../../domain/tasks/deadlocked.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advanceAgent } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { operationName } from "../kernel/operation-name.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { withoutForbiddenStarts } from "../settings/repository-limits.ts";
import { holdsAround } from "../status/holds-around.ts";
import { type OperatorAct, operatorMessage, operatorReason, sendReasonToNewAgent } from "./operator-act.ts";
import { reach, reachFor } from "./reach.ts";

/** An agent after an operation on it. */
export interface ActedOn extends AgentRecord {
  /** What holds it now. */
  readonly holds: readonly Hold[];
}

/**
 * Holds the agent until a person resumes it: a working agent is saved and put to sleep. Throws
 * `OperationError`.
 */
export async function pause(context: EngineContext, act: OperatorAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  if (!isLive(agent) || agent.state === "ESCALATED") throw invalidState(agent, "pause");
  const why = `paused by ${personNamed(act.by)}${act.reason === null ? "" : `: ${act.reason}`}`;
  await move(context, { act, agent }, { moves: [pauses(agent, steering(context, act), why)] }, "pause");
  return after(context, agent);
}

/** `rounds` = review rounds for an agent that a deadlock stopped; `review.max_cycles` by default. */
export interface ResumeAct extends OperatorAct {
  readonly rounds?: number | null;
}

/**
 * Lifts a person's hold and lets an ESCALATED agent continue. A coder that had completed before reviews
 * rejected its work too often continues in a new attempt, with which this resolves. Throws `OperationError`.
 */
export async function resume(context: EngineContext, act: ResumeAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  if (!isLive(agent)) return resumeEnded(context, act, agent);
  const around = await holdsAround(context, context.store, agent);
  const changes = resumes({ agents: [agent], around }, steering(context, act), {
    said: operatorMessage(act, "continue"),
    words: operatorReason(act),
    rounds: act.rounds ?? null,
  });
  const holds = holdsOf(agent, around);
  if (changes === null && holds.length > 0)
    throw new OperationError({ code: "held", agent: agent.name, holds, hint: holdEnds(holds) });
  const limit = limitFault(agent);
  if (limit !== null) throw new OperationError(limit);
  if (changes === null) throw invalidState(agent, "resume");
  await move(context, { act, agent }, changes, "resume");
  return after(context, agent);
}

async function resumeEnded(context: EngineContext, act: ResumeAct, agent: AgentRecord): Promise<ActedOn> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const view = await readIssueState(context, repository, agent.issue);
  const { at, actor } = steering(context, act);
  const given = { at, actor, rounds: act.rounds ?? null, said: operatorMessage(act, "continue") };
  const changes = endedCoder(view)?.id === agent.id ? resumesDeadlocked(view, given) : null;
  if (changes === null) throw invalidState(agent, "resume");
  await move(context, { act, agent, before: view.agents }, changes, "resume");
  return newest(context, agent);
}

/**
 * Retries an agent in `error` at once, starts one that is due later, and starts a new attempt for any other.
 * Throws `OperationError`, `GitHubError`.
 */
export async function retry(context: EngineContext, act: OperatorAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  if (!isLive(agent) || agent.state === "ESCALATED") return revive(context, act);
  const around = await holdsAround(context, context.store, agent);
  const changes = triesNow({ agents: [agent], around }, steering(context, act), {
    said: operatorMessage(act, "try again"),
    words: operatorReason(act),
  });
  const holds = holdsOf(agent, around);
  if (changes === null && isInError(agent))
    throw new OperationError({ code: "held", agent: agent.name, holds, hint: holdEnds(holds) });
  if (changes === null) throw invalidState(agent, "retry");
  await move(context, { act, agent }, changes, "retry");
  return after(context, agent);
}

/**
 * Cancels the agent in the operator's name. Gives up its BLOCKED task, even after the coder has ended, like
 * `/flotilla cancel`. Throws `OperationError`.
 */
export async function kill(context: EngineContext, act: OperatorAct): Promise<ActedOn> {
  const { agent, session } = await reach(context.store, act.agent);
  const { at, actor } = steering(context, act);
  const left = isLive(agent) ? [] : await leftBy(context.store, agent, { at, actor });
  const fault = left.length > 0 ? null : guardAgentOperation(agent, session, "kill");
  if (fault !== null) throw new OperationError(fault);
  const why = act.reason ?? "it was killed";
  const ended: Move = {
    machine: "agent",
    id: agent.id,
    event: { type: "CANCEL", at, actor, why, quiet: false, givesUp: true },
  };
  const moves = isLive(agent) ? [ended] : left;
  // Without a move the agent has ended and its conversation is being stopped.
  if (moves.length > 0) await move(context, { act, agent }, { moves }, "kill");
  return after(context, agent);
}

/** Returns the move that gives up the task which an ended coder left to be replanned. */
async function leftBy({ records }: Tables, agent: AgentRecord, by: { at: number; actor: string }) {
  const { repositoryId, issue } = agent;
  const task = (await records.find("task", { repositoryId, issue })).at(-1) ?? null;
  const agents = await records.find("agent", { repositoryId, issue });
  return endedCoder({ agents, task })?.id === agent.id ? givesUp(task, by) : [];
}

/**
 * Starts a new attempt after an ESCALATED, FAILED or CANCELLED agent and returns it. Everything that can
 * delay a start delays this one, except a person's pull request, which the operator has seen. Throws
 * `OperationError`, `GitHubError`.
 */
export async function revive(context: EngineContext, act: OperatorAct): Promise<ActedOn> {
  const { agent } = await reachFor(context.store, act.agent, "revive");
  // There the person's branch may have moved, and a fork's work must not become a branch of the repository.
  if (isOnPull(agent))
    throw new OperationError({
      code: "not_steered",
      why: `${agent.name} worked on a person's pull request, where a new attempt needs a new request`,
      hint: `say \`/flotilla ${agent.coder ? "fix" : "review"}\` in a comment on #${agent.issue}`,
    });
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await context.github.issue(repository, agent.issue);
  const view = await readIssueState(context, repository, agent.issue);
  const why = `${personNamed(act.by)} asked for a new attempt`;
  const cause = { at: context.clock.now(), actor: act.by, issue, personPull: null, why };
  const revived = revives(agent, view, cause);
  if (revived === null) throw new OperationError({ code: "not_found", what: `role ${agent.role}` });
  const changes = await withoutForbiddenStarts(context, repository, revived);
  const started = await withBlockers(context, repository, agent.issue, changes);
  await move(context, { act, agent, before: view.agents }, started, "revive");
  const [decision] = changes.moves.length === 0 ? changes.decisions : [];
  if (decision?.rule === "rival")
    throw new OperationError({
      code: "agent_already_running",
      agent: rivalOf(view.agents, decision.agentId),
    });
  if (decision !== undefined)
    throw new OperationError({
      code: "policy_denied",
      rule: decision.rule,
      reason: decision.reason,
      hint: decision.change ?? wordsOf(decision.rule).next,
    });
  return newest(context, agent);
}

/** Returns the latest agent of the same issue: the attempt that was just started. */
async function newest(context: EngineContext, agent: AgentRecord): Promise<ActedOn> {
  const { repositoryId, issue } = agent;
  const attempts = await context.store.records.find("agent", { repositoryId, issue });
  return after(context, attempts.at(-1) ?? agent);
}

function rivalOf(agents: readonly AgentRecord[], id: number | null): string {
  return agents.find((agent) => agent.id === id)?.name ?? "another agent";
}

export function steering(context: EngineContext, act: OperatorAct) {
  return { at: context.clock.now(), actor: act.by, act: operationName(act.id) };
}

export async function after(context: EngineContext, before: AgentRecord): Promise<ActedOn> {
  const agent = (await context.store.records.get("agent", before.id)) ?? before;
  return { ...agent, holds: holdsOf(agent, await holdsAround(context, context.store, agent)) };
}

/** Advances the agent; throws what its machine refuses as `OperationError`. */
export async function move(
  context: EngineContext,
  {
    act,
    agent,
    before = null,
    guard,
  }: {
    readonly act: OperatorAct;
    readonly agent: AgentRecord;
    /** Refuses, inside the transaction, what has become wrong since the agent was read: throws `OperationError`. */
    readonly guard?: (tables: Tables) => Promise<void>;
    /** Earlier agents of the issue, when a new attempt is to read the operator's words; null otherwise. */
    readonly before?: readonly AgentRecord[] | null;
  },
  changes: Partial<ChangeSet>,
  operation: string,
): Promise<void> {
  try {
    const name = operationName(act.id);
    // Moves that follow, such as the start of a new attempt, may be refused; only the requested move counts.
    const asked = new Set((changes.moves ?? []).map(({ event }) => event.type as string));
    const touch = operatorTouch(agent, "command", { act: act.id, at: context.clock.now() });
    const also = async (tables: Tables): Promise<void> => {
      await guard?.(tables);
      if (asked.size + (changes.attributes ?? []).length > 0) await tables.ledger.touch(touch);
    };
    const afterwards = async (tables: Tables): Promise<void> => {
      if (before !== null) await sendReasonToNewAgent(tables, { act, agent, before, at: touch.at });
    };
    const { refused } = await advanceAgent(context, agent, changes, {
      name,
      person: act.by,
      also,
      afterwards,
    });
    const refusal = refused.find((one) => one.machine === "agent" && asked.has(one.event));
    if (refusal !== undefined) throw new OperationError(faultOf(refusal, agent, operation));
  } catch (error) {
    if (error instanceof StaleSnapshot)
      throw new OperationError({ code: "stale_snapshot", machine: "agent" });
    throw error;
  }
}

function faultOf(refusal: Refusal, agent: AgentRecord, operation: string): OperationFault {
  if (refusal.code === "guard_refused")
    return {
      code: "policy_denied",
      rule: refusal.rule,
      reason: refusal.reason,
      hint: wouldChange(refusal),
    };
  return { code: "invalid_state", agent: agent.name, state: refusal.state, operation };
}

export function invalidState(agent: AgentRecord, operation: string): OperationError {
  const code = isLive(agent) ? "invalid_state" : "dead_agent";
  return new OperationError({ code, agent: agent.name, state: agent.state, operation });
}
