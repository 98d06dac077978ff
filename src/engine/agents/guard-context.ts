import type { AgentEvent, GuardContext, ResolvedAgentEvent } from "../../domain/agents/agent-event.ts";
import { sessionId } from "../../domain/agents/agent-key.ts";
import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { noSlotText } from "../../domain/agents/start-offer.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";
import { runOf, taskOf } from "../kernel/find-records.ts";
import { readable } from "../kernel/readable.ts";
import { hasGitHubRoom, NO_GITHUB_ROOM } from "./github-room.ts";
import { lastWork } from "./last-work.ts";
import { placeFor } from "./place-for.ts";
import { findSleepersCircle } from "./waiting-circle.ts";

/** Events that move an agent to ACTIVE. */
const BEGINNINGS: readonly AgentEvent["type"][] = ["START", "WAKE", "RESUME"];

/**
 * Reads the guard context inside the transaction that saves the move, so that slots and uniqueness are judged
 * on current data.
 */
async function guardContextOf(
  context: EngineContext,
  tables: Tables,
  guarded: Guarded,
  openBlockers: readonly string[] | null,
): Promise<GuardContext> {
  const { agent, event, task } = guarded;
  const { guards } = context.registry;
  const settings = context.settingsOf(agent.repositoryId);
  const role = context.roleOf(agent);
  const run = agent.id === 0 ? undefined : await runOf(tables, agent.id);
  // What blocks its issue refuses a start before anything else is looked at.
  const mayBegin = BEGINNINGS.includes(event.type) && openBlockers?.length === 0;
  return {
    slot: mayBegin ? await slotFor(context, tables, guarded) : true,
    ...(mayBegin ? await placeFor(context, tables, agent) : { node: context.node, room: true }),
    held: mayBegin || event.type === "EXPIRE" ? await guards.held(context, tables, guarded) : [],
    budget: mayBegin ? await guards.budget(context, tables, guarded) : true,
    provider: mayBegin ? await context.providerBreaker.refusal(tables, agent) : true,
    run: run?.state ?? null,
    task: task?.state ?? null,
    work: {
      assigneeId: task?.assigneeId ?? null,
      line: task?.line ?? null,
      failedBy: task?.failedBy ?? [],
      reviewCommit: task?.reviewCommit ?? null,
      rejectedBy: await guards.rejectedBy(context, tables, guarded),
      maxCycles: settings.review.maxCycles,
      leaseMs: settings.leases.taskMs,
    },
    review: await guards.review(context, tables, guarded),
    verdict: await verdictOn(tables, agent),
    rival: await rivalOf(tables, agent),
    attention: mayBegin ? await guards.attention(context, tables, guarded) : null,
    escalation: settings.escalation,
    ...(await lastWork(tables, agent, event, context.toolKind)),
    limits: role === undefined ? settings.limits.defaults : limitsFor(settings, role),
  };
}

/** Completes the event with the facts that only the database has. */
export async function resolveEvent(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  event: AgentEvent,
): Promise<ResolvedAgentEvent> {
  const task = await taskOf(tables, agent.repositoryId, agent.issue);
  const guarded = { agent, event, task };
  const { guards } = context.registry;
  const openBlockers = event.type === "START" ? await guards.openBlockers(context, tables, guarded) : [];
  const around = await guardContextOf(context, tables, guarded, openBlockers);
  const leaseUntil = event.at + context.settings.leases.agentMs;
  const next = () => sessionId(context.digest, agent, agent.sessionCount + 1);
  switch (event.type) {
    case "CREATE":
      return {
        ...event,
        around,
        limit: await guards.tooManyAgents(context, tables, guarded),
      };
    case "START":
      return {
        ...event,
        around,
        leaseUntil,
        sessionId: next(),
        openBlockers,
      };
    case "WAKE":
    case "RESUME":
      return { ...event, around, leaseUntil, sessionId: agent.sessionId ?? next() };
    case "BLOCKED":
      // Another agent may have fallen asleep since GitHub was read.
      return { ...event, around, cycle: event.cycle ?? (await circleOf(tables, agent, event)) };
    case "HANDOFF":
      return { ...event, around, sessionId: next() };
    default:
      return { ...event, around };
  }
}

function circleOf(tables: Tables, agent: AgentRecord, event: Extract<AgentEvent, { type: "BLOCKED" }>) {
  const repositoryId = event.elsewhere?.repositoryId ?? agent.repositoryId;
  return findSleepersCircle(tables, agent, { repositoryId, number: event.blocker });
}

async function verdictOn(tables: Tables, agent: AgentRecord): Promise<GuardContext["verdict"]> {
  if (agent.sleepReason !== "approval") return null;
  const decided = await tables.approvals.decided(agent.id, agent.token);
  return decided === undefined ? null : decided.state === "denied" ? "denied" : "granted";
}

async function slotFor(
  context: EngineContext,
  tables: Tables,
  { agent, event }: Guarded,
): Promise<GuardContext["slot"]> {
  const { awaited, turn } = context.room;
  if (event.type === "START" && awaited && turn !== agent.id) return "others wait for a slot before it";
  // Those that wait already are not even offered a start then.
  const start = { repositoryId: agent.repositoryId, work: "start" } as const;
  if (event.type === "START" && !(await hasGitHubRoom(context, tables, start))) return NO_GITHUB_ROOM;
  const limit = context.settings.runtime.maxConcurrentAgents;
  const used = await tables.records.slotsInUse();
  if (used >= limit) return noSlotText(limit);
  if (context.roleOf(agent)?.singleton !== true) return true;
  const { repositoryId, role } = agent;
  const active = await tables.records.ids("agent", { repositoryId, role, state: "ACTIVE" });
  if (active.length === 0) return true;
  const [other] = await readable(tables, "agent", { id: active });
  return `${other?.name ?? "another agent"} is the one ${role} at work in this repository`;
}

async function rivalOf(tables: Tables, agent: AgentRecord): Promise<string | null> {
  const { repositoryId, issue } = agent;
  const rival = (await tables.records.find("agent", { repositoryId, issue })).find(
    (other) =>
      isLive(other) && other.id !== agent.id && (other.role === agent.role || (other.coder && agent.coder)),
  );
  return rival?.name ?? null;
}
