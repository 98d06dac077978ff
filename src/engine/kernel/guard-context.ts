import type { AgentEvent, GuardContext, ResolvedAgentEvent } from "../../domain/agents/agent-event.ts";
import { sessionId } from "../../domain/agents/agent-key.ts";
import { type AgentRecord, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { newestCommit } from "../../domain/agents/agent-task.ts";
import type { RunRecord } from "../../domain/agents/run.ts";
import type { Hold } from "../../domain/breakers/hold.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { rejectedBy } from "../../domain/review/rejected-by.ts";
import { isOpenTask, type TaskRecord } from "../../domain/tasks/task.ts";
import { lastWork } from "../agents/last-work.ts";
import { sleepersCircle } from "../agents/waiting-circle.ts";
import { blockersOf } from "../blockers/blockers.ts";
import { budgetFor } from "../breakers/day-budget.ts";
import { stormLimit } from "../breakers/storm.ts";
import { wipLimitFor } from "../breakers/wip-limit.ts";
import { reviewOf } from "../review/review-of.ts";
import { isProbe } from "../sessions/is-probe.ts";
import { holdsAround } from "../status/holds-around.ts";
import type { EngineContext } from "./engine-context.ts";
import { readable } from "./readable.ts";

/** Moves to ACTIVE. */
const BEGINNINGS: readonly AgentEvent["type"][] = ["START", "WAKE", "RESUME"];

/** Read inside the transaction that saves the move, so that slots and uniqueness are judged by what is true then. */
async function guardContextOf(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  wish: AgentEvent,
): Promise<GuardContext> {
  const settings = context.settingsOf(agent.repositoryId);
  const role = context.roleOf(agent);
  const run = agent.id === 0 ? undefined : await runOf(tables, agent.id);
  const task = await taskOf(tables, agent.repositoryId, agent.issue);
  return {
    slot: await slotFor(context, tables, agent),
    held: await heldBy(context, tables, agent),
    budget: await budgetFor(context, tables, agent, wish),
    provider: BEGINNINGS.includes(wish.type) ? await context.parking.refusal(tables, agent.id) : true,
    run: run?.state ?? null,
    task: task?.state ?? null,
    work: {
      assigneeId: task?.assigneeId ?? null,
      line: task?.line ?? null,
      failedBy: task?.failedBy ?? [],
      reviewCommit: task?.reviewCommit ?? null,
      rejectedBy: await rejectersOf(tables, agent, { wish, task }),
      maxCycles: settings.review.maxCycles,
      leaseMs: settings.leases.taskMs,
    },
    review: await reviewOf(context, tables, agent, { wish, task }),
    verdict: await verdictOn(tables, agent),
    rival: await rivalOf(tables, agent),
    attention: await wipLimitFor(context, tables, agent, wish),
    escalation: settings.escalation,
    ...(await lastWork(tables, agent, wish, context.toolKind)),
    limits: role === undefined ? settings.limits.defaults : limitsFor(settings, role),
    node: context.node,
  };
}

/** The wish with what only the database knows. */
export async function resolveEvent(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  wish: AgentEvent,
): Promise<ResolvedAgentEvent> {
  const around = await guardContextOf(context, tables, agent, wish);
  const leaseUntil = wish.at + context.settings.leases.agentMs;
  const next = () => sessionId(context.digest, agent, agent.sessionCount + 1);
  switch (wish.type) {
    case "CREATE":
      return {
        ...wish,
        around,
        limit: await stormLimit(
          context.settingsOf(wish.newAgent.repositoryId).storm,
          tables,
          wish.newAgent,
          wish.at,
        ),
      };
    case "START":
      return {
        ...wish,
        around,
        leaseUntil,
        sessionId: next(),
        openBlockers: await blockersOf(tables, agent),
      };
    case "WAKE":
    case "RESUME":
      return { ...wish, around, leaseUntil, sessionId: agent.sessionId ?? next() };
    case "BLOCKED":
      // Another agent may have fallen asleep since GitHub was asked.
      return { ...wish, around, cycle: wish.cycle ?? (await circleOf(tables, agent, wish)) };
    case "HANDOFF":
      return { ...wish, around, sessionId: next() };
    default:
      return { ...wish, around };
  }
}

function circleOf(tables: Tables, agent: AgentRecord, wish: Extract<AgentEvent, { type: "BLOCKED" }>) {
  const repositoryId = wish.elsewhere?.repositoryId ?? agent.repositoryId;
  return sleepersCircle(tables, agent, { repositoryId, number: wish.blocker });
}

async function verdictOn(tables: Tables, agent: AgentRecord): Promise<GuardContext["verdict"]> {
  if (agent.sleepReason !== "approval") return null;
  const decided = await tables.approvals.decided(agent.id, agent.token);
  return decided === undefined ? null : decided.state === "denied" ? "denied" : "granted";
}

/** The moves that look at it, or tell people what they can do. */
const MINDS_REJECTION: readonly AgentEvent["type"][] = ["COMPLETE", "ESCALATE", "WAIT"];

async function rejectersOf(
  { verdicts }: Tables,
  agent: AgentRecord,
  { wish, task }: { readonly wish: AgentEvent; readonly task: TaskRecord | undefined },
): Promise<readonly string[]> {
  if (!MINDS_REJECTION.includes(wish.type) || task === undefined) return [];
  return rejectedBy(await verdicts.ofTask(task.id), newestCommit(agent, task)).map(
    ({ reviewer }) => reviewer,
  );
}

/** The run of an agent's attempt. */
export async function runOf(tables: Tables, agentId: number): Promise<RunRecord | undefined> {
  return (await tables.records.find("run", { agentId })).at(-1);
}

/** The issue's task that is not terminal. */
export async function taskOf(
  tables: Tables,
  repositoryId: number,
  issue: number,
): Promise<TaskRecord | undefined> {
  return (await tables.records.find("task", { repositoryId, issue })).findLast(isOpenTask);
}

/** What holds the agent beside its own holders: an incident spares the one that tries whether it is over. */
async function heldBy(context: EngineContext, tables: Tables, agent: AgentRecord): Promise<readonly Hold[]> {
  const holds = await holdsAround(context, tables, agent);
  const spared = holds.some(({ by }) => by === "incident") && (await isProbe(tables, agent));
  return holds.filter(({ by }) => by !== "incident" || !spared);
}

async function slotFor(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
): Promise<GuardContext["slot"]> {
  const limit = context.settings.runtime.maxConcurrentAgents;
  const used = await tables.records.slotsInUse();
  if (used >= limit) return `all ${limit} slots are in use`;
  if (context.roleOf(agent)?.singleton !== true) return true;
  const { repositoryId, role } = agent;
  const active = await tables.records.ids("agent", { repositoryId, role, state: "ACTIVE" });
  if (active.length === 0) return true;
  const [other] = await readable(tables, "agent", { id: active });
  return `${other?.name ?? "another agent"} is the one ${role} at work in this repository`;
}

async function rivalOf(tables: Tables, agent: AgentRecord): Promise<string | null> {
  const live = await tables.records.find("agent", {
    repositoryId: agent.repositoryId,
    issue: agent.issue,
    state: LIVE_AGENT_STATES,
  });
  const rival = live.find(
    (other) => other.id !== agent.id && (other.role === agent.role || (other.coder && agent.coder)),
  );
  return rival?.name ?? null;
}
