import { eventsOfMove } from "../core/events-of-move.ts";
import { type Moved, type Refusal, step } from "../core/machine.ts";
import { type AgentEmission, agentMachine, blankAgent } from "../core/machines/agent.ts";
import type { AgentWish } from "../core/machines/agent-event.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { blankRun, type RunEvent, runMachine } from "../core/machines/run.ts";
import {
  blankSession,
  type SessionEvent,
  type SessionRecord,
  sessionMachine,
} from "../core/machines/session.ts";
import { blankTask, type TaskEvent, taskMachine } from "../core/machines/task.ts";
import type { Tables } from "../core/ports/store.ts";
import type { MachineName } from "../core/rows.ts";
import type { Fact } from "./advance.ts";
import type { EngineContext } from "./context.ts";
import { agentEffect } from "./effect-rows.ts";
import { recordRefusal } from "./record-refusal.ts";
import { tell } from "./run-events.ts";
import { completed, runOf, taskOf } from "./surroundings.ts";

/** The steps of one transaction, and what they came to. */
export interface Step {
  readonly context: EngineContext;
  readonly tables: Tables;
  readonly fact: Fact;
  readonly moved: { machine: string; event: string; id: number; to: string }[];
  readonly refused: Refusal[];
}

interface Subject {
  readonly agentId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
}

/** One event of an agent, then at once the events that it emits. */
export async function stepAgent(turn: Step, id: number | null, wish: AgentWish): Promise<void> {
  const { records, effects } = turn.tables;
  const before = id === null ? undefined : await records.get("agent", id);
  const birth = "birth" in wish ? wish.birth : {};
  const event = await completed(turn.context, turn.tables, before ?? { ...blankAgent, ...birth }, wish);
  const result = step(agentMachine, before, event, blankAgent);
  if (!result.ok) return refuse(turn, result, { ...subjectOf(turn), agentId: id });
  const after =
    before === undefined
      ? await records.insert("agent", result.snapshot)
      : await records.save("agent", before, result.snapshot);
  if (before === undefined)
    await records.insert("run", {
      ...blankRun,
      agentId: after.id,
      repositoryId: after.repositoryId,
      issue: after.issue,
      attempt: after.attempt,
      createdAt: wish.at,
    });
  await record(turn, "agent", after.id, { ...after, agentId: after.id }, event, result, reasonOf(wish));
  await effects.add(
    result.effects.map((effect, index) =>
      agentEffect(after, effect, `agent-${after.id}:v${after.version}:${index}:${effect.kind}`, wish.at),
    ),
  );
  for (const emitted of result.emits) await stepEmitted(turn, after, emitted);
}

async function stepEmitted(turn: Step, agent: AgentRecord, emitted: AgentEmission): Promise<void> {
  switch (emitted.machine) {
    case "agent":
      return stepAgent(turn, agent.id, emitted.event);
    case "run": {
      const run = await runOf(turn.tables, agent.id);
      return run === undefined ? undefined : stepRun(turn, run.id, emitted.event);
    }
    case "task": {
      const task = await taskOf(turn.tables, agent.repositoryId, agent.issue);
      return task === undefined ? undefined : stepTask(turn, task.id, emitted.event);
    }
    case "session": {
      const session = await conversation(turn, agent);
      return session === undefined ? undefined : stepSession(turn, session.id, emitted.event);
    }
  }
}

/** The row of the agent's conversation; made with its first START. */
async function conversation(turn: Step, agent: AgentRecord): Promise<SessionRecord | undefined> {
  const { records } = turn.tables;
  const { id: agentId, sessionId } = agent;
  if (sessionId === null) return undefined;
  const known = (await records.find("session", { agentId, sessionId })).at(-1);
  return known ?? records.insert("session", { ...blankSession, agentId, sessionId, createdAt: turn.fact.at });
}

export async function stepRun(turn: Step, id: number, event: RunEvent): Promise<void> {
  const before = await turn.tables.records.get("run", id);
  const result = step(runMachine, before, event);
  const subject = before ?? subjectOf(turn);
  if (!result.ok || before === undefined) return result.ok ? undefined : refuse(turn, result, subject);
  const after = await turn.tables.records.save("run", before, result.snapshot);
  await record(turn, "run", after.id, after, event, result, after.error ?? after.waitingFor);
}

export async function stepSession(turn: Step, id: number, event: SessionEvent): Promise<void> {
  const before = await turn.tables.records.get("session", id);
  const result = step(sessionMachine, before, event);
  const subject = { ...subjectOf(turn), agentId: before?.agentId ?? null };
  if (!result.ok || before === undefined) return result.ok ? undefined : refuse(turn, result, subject);
  const after = await turn.tables.records.save("session", before, result.snapshot);
  await record(turn, "session", after.id, subject, event, result, after.reason);
}

export async function stepTask(turn: Step, id: number | null, event: TaskEvent): Promise<void> {
  const { records } = turn.tables;
  const before = id === null ? undefined : await records.get("task", id);
  const result = step(taskMachine, before, event, blankTask);
  const subject = { ...subjectOf(turn), agentId: before?.assigneeId ?? null };
  if (!result.ok) return refuse(turn, result, subject);
  const after =
    before === undefined
      ? await records.insert("task", result.snapshot)
      : await records.save("task", before, result.snapshot);
  const reason = "reason" in event ? event.reason : null;
  await record(turn, "task", after.id, { ...subject, agentId: after.assigneeId }, event, result, reason);
}

function subjectOf(turn: Step): Subject {
  return { agentId: null, repositoryId: turn.fact.repositoryId, issue: turn.fact.issue };
}

async function refuse(turn: Step, refusal: Refusal, subject: Subject): Promise<void> {
  turn.refused.push(refusal);
  await recordRefusal(turn.tables, refusal, { ...subject, at: turn.fact.at, delivery: turn.fact.delivery });
}

async function record(
  turn: Step,
  machine: MachineName,
  recordId: number,
  subject: Subject,
  event: { readonly type: string; readonly actor: string },
  result: Pick<Moved<string, { readonly state: string }, unknown, unknown>, "from" | "snapshot">,
  reason: string | null,
): Promise<void> {
  const to = result.snapshot.state;
  turn.moved.push({ machine, event: event.type, id: recordId, to });
  await turn.tables.transitions.add({
    at: turn.fact.at,
    machine,
    recordId,
    agentId: subject.agentId,
    repositoryId: subject.repositoryId,
    issue: subject.issue,
    actor: event.actor,
    event: event.type,
    from: result.from,
    to,
    reason,
    evidence: turn.fact.evidence ?? null,
    delivery: turn.fact.delivery,
  });
  const { from } = result;
  const count = "step" in result.snapshot ? Number(result.snapshot.step) : null;
  const move = { machine, event: event.type, actor: event.actor, from, to, reason, step: count };
  await tell(turn.context, turn.tables, subject, eventsOfMove(move));
}

/** The words that a wish carries for people. */
function reasonOf(wish: AgentWish): string | null {
  switch (wish.type) {
    case "BLOCKED":
      return `#${wish.blocker}: ${wish.reason}`;
    case "WAIT":
      return `${wish.reason}: ${wish.detail}`;
    case "PAUSE":
    case "REOPEN":
    case "CANCEL":
    case "HANDOFF":
      return wish.why;
    case "COMPLETE":
      return wish.summary;
    case "ESCALATE":
    case "FAIL":
    case "WAKE":
      return wish.reason;
    case "EXPIRE":
      return wish.waited;
    case "CREATE":
    case "REVIVE":
    case "START":
    case "RESUME":
      return null;
  }
}
