import { agentMachine, newAgentRecord } from "../../domain/agents/agent.ts";
import type { AgentEmission } from "../../domain/agents/agent-emission.ts";
import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { blankRun, type RunEvent, runMachine } from "../../domain/agents/run.ts";
import {
  blankSession,
  changesSession,
  type SessionEvent,
  type SessionRecord,
  sessionMachine,
} from "../../domain/agents/session.ts";
import { otherWorkJson } from "../../domain/conversation/other-work.ts";
import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import { planSteps } from "../../domain/planning/plan-steps.ts";
import type { ReviewLeaseEvent } from "../../domain/review/review-lease.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { CascadingMoves, EngineContext, StepContext } from "../kernel/engine-context.ts";
import { runOf, taskOf } from "../kernel/find-records.ts";
import { stepRecord, subjectOf } from "../kernel/step-record.ts";
import { grantEvidence } from "./grant-evidence.ts";
import { resolveEvent } from "./guard-context.ts";
import { reasonOf } from "./reason-of.ts";
import { workWaitedFor } from "./save-wakes.ts";

/** Applies one event to an agent; a new agent gets its run in the same step. */
export async function stepAgent(
  tx: StepContext,
  { id, event: requested }: MoveOf<"agent">,
): Promise<readonly CascadingMoves[]> {
  const { records, effects } = tx.tables;
  const before = id === null ? undefined : await records.get("agent", id);
  const newAgent = "newAgent" in requested ? requested.newAgent : {};
  const subject = before ?? { ...newAgentRecord, ...newAgent };
  const event = await resolveEvent(tx.context, tx.tables, subject, requested);
  const taken = await stepRecord(tx, {
    name: "agent",
    machine: agentMachine,
    before,
    event,
    blank: newAgentRecord,
    save: (old, next) => (old === undefined ? createAgent(tx, next) : records.save("agent", old, next)),
    subject: (agent) => (agent === undefined ? subjectOf(tx, id) : { ...agent, agentId: agent.id }),
    reason: () => reasonOf(requested),
    evidence: grantEvidence(before, event),
  });
  if (taken === null) return [];
  const { after, moved } = taken;
  await effects.add(
    moved.effects.map((effect, index) =>
      agentEffect(after, effect, `agent-${after.id}:v${after.version}:${index}:${effect.kind}`, requested.at),
    ),
  );
  for (const follow of tx.context.registry.subscribers.afterAgentStep)
    await follow(tx, { before, after, event: requested });
  return moved.emits.map((emitted) => () => movesOf(tx, before ?? after, after, emitted, requested));
}

async function createAgent(tx: StepContext, next: AgentRecord): Promise<AgentRecord> {
  const agent = await tx.tables.records.insert("agent", next);
  const { id: agentId, repositoryId, issue, attempt, createdAt } = agent;
  await tx.tables.records.insert("run", { ...blankRun, agentId, repositoryId, issue, attempt, createdAt });
  return agent;
}

/** Returns the moves of the run, task and conversation that the agent's emission addresses. */
async function movesOf(
  tx: StepContext,
  before: AgentRecord,
  after: AgentRecord,
  emitted: AgentEmission,
  requested: AgentEvent,
): Promise<readonly Move[]> {
  switch (emitted.machine) {
    case "agent":
      return [{ machine: "agent", id: after.id, event: emitted.event }];
    case "run": {
      const run = await runOf(tx.tables, after.id);
      if (run === undefined) return [];
      const { event } = emitted;
      const handed =
        event.type === "AGENT_COMPLETE" && requested.type === "WAKE" && requested.reason === "blocker";
      const outputs = handed ? { outputs: await workWaitedFor(tx.tables, before) } : {};
      return [{ machine: "run", id: run.id, event: { ...event, ...outputs } }];
    }
    case "task": {
      const task = await taskOf(tx.tables, after.repositoryId, after.issue);
      return task === undefined ? [] : [{ machine: "task", id: task.id, event: emitted.event }];
    }
    case "review_lease":
      return leaseMoves(tx, after.id, emitted.event);
    case "session": {
      const session = await conversation(tx, emitted.of === "before" ? before : after, emitted.event);
      return session === undefined ? [] : [{ machine: "session", id: session.id, event: emitted.event }];
    }
  }
}

/**
 * Returns the moves of the review lease: that of the task which a CLAIM names, otherwise the one that the
 * agent holds.
 */
async function leaseMoves(
  tx: StepContext,
  agentId: number,
  event: ReviewLeaseEvent,
): Promise<readonly Move[]> {
  if (event.type === "CLAIM") return [{ machine: "review_lease", id: null, event }];
  const held = await tx.tables.records.find("review_lease", { holderId: agentId, state: "HELD" });
  return held.map(({ id }) => ({ machine: "review_lease", id, event }));
}

/** Creates the agent's conversation row at each start. */
async function conversation(
  tx: StepContext,
  agent: AgentRecord,
  { type }: SessionEvent,
): Promise<SessionRecord | undefined> {
  const { records } = tx.tables;
  const { id: agentId, sessionId } = agent;
  if (sessionId === null) return undefined;
  const known = (await records.find("session", { agentId, sessionId })).at(-1);
  if (known !== undefined || type !== "START") return known;
  return records.insert("session", { ...blankSession, agentId, sessionId, createdAt: tx.request.at });
}

export async function stepRun(
  tx: StepContext,
  { id, event }: MoveOf<"run">,
): Promise<readonly CascadingMoves[]> {
  const { records } = tx.tables;
  await stepRecord(tx, {
    name: "run",
    machine: runMachine,
    before: await records.get("run", id),
    event,
    blank: undefined,
    save: async (old, next) => (old === undefined ? next : records.save("run", old, next)),
    subject: (run) => run ?? subjectOf(tx),
    reason: (run) => run.error ?? run.waitingFor,
    run: ({ step, errorCode }) => ({ step, errorCode }),
    evidence: evidenceOf(tx.context, event),
  });
  return [];
}

/**
 * Returns what the transition records besides its reason: how long the agent slept, the plan's id and number
 * of steps, what it waited for.
 */
function evidenceOf({ digest }: EngineContext, event: RunEvent): unknown {
  switch (event.type) {
    case "TIMEOUT":
      return { sleptMs: event.sleptMs };
    case "PLAN_COMPLETE":
    case "ADAPTATION_COMPLETE":
      return event.plan === undefined
        ? undefined
        : { planId: digest(event.plan).slice(0, 16), steps: planSteps(event.plan) };
    case "AGENT_COMPLETE":
      return event.outputs === undefined || event.outputs.length === 0
        ? undefined
        : { agents: event.outputs.map(otherWorkJson) };
    default:
      return undefined;
  }
}

export async function stepSession(
  tx: StepContext,
  { id, event }: MoveOf<"session">,
): Promise<readonly CascadingMoves[]> {
  const { records } = tx.tables;
  const before = await records.get("session", id);
  if (before !== undefined && !changesSession(before, event)) return [];
  await stepRecord(tx, {
    name: "session",
    machine: sessionMachine,
    before,
    event,
    blank: undefined,
    save: async (old, next) => (old === undefined ? next : records.save("session", old, next)),
    subject: (session) => subjectOf(tx, session?.agentId ?? null),
    reason: (session) => session.reason,
  });
  return [];
}
