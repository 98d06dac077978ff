import { sessionId } from "../core/agent-key.ts";
import type { Hold } from "../core/hold.ts";
import { limitsFor } from "../core/limits.ts";
import type { AgentEvent, AgentWish, Surroundings } from "../core/machines/agent-event.ts";
import { type AgentRecord, LIVE_AGENT_STATES } from "../core/machines/agent-record.ts";
import { newestCommit } from "../core/machines/agent-task.ts";
import type { RunRecord } from "../core/machines/run.ts";
import { isOpenTask, type TaskRecord } from "../core/machines/task.ts";
import type { Tables } from "../core/ports/store.ts";
import { rejectedBy } from "../core/review/rejected-by.ts";
import { attentionFor } from "./attention.ts";
import { blockersOf } from "./blockers.ts";
import type { EngineContext } from "./context.ts";
import { budgetFor } from "./day-budget.ts";
import { holdsAround } from "./holds-around.ts";
import { isProbe } from "./is-probe.ts";
import { lastWork } from "./last-work.ts";
import { readable } from "./readable.ts";
import { reviewOf } from "./review/review-of.ts";
import { sleepersCircle } from "./sleepers-circle.ts";
import { stormLimit } from "./storm.ts";

/** Moves to ACTIVE. */
const BEGINNINGS: readonly AgentWish["type"][] = ["START", "WAKE", "RESUME"];

/** Read inside the transaction that saves the move, so that slots and uniqueness are judged by what is true then. */
async function surroundingsOf(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  wish: AgentWish,
): Promise<Surroundings> {
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
    attention: await attentionFor(context, tables, agent, wish),
    escalation: settings.escalation,
    ...(await lastWork(tables, agent, wish)),
    limits: role === undefined ? settings.limits.defaults : limitsFor(settings, role),
    node: context.node,
  };
}

/** The wish with what only the database knows. */
export async function completed(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  wish: AgentWish,
): Promise<AgentEvent> {
  const around = await surroundingsOf(context, tables, agent, wish);
  const leaseUntil = wish.at + context.settings.leases.agentMs;
  const next = () => sessionId(context.digest, agent, agent.sessionCount + 1);
  switch (wish.type) {
    case "CREATE":
      return {
        ...wish,
        around,
        limit: await stormLimit(
          context.settingsOf(wish.birth.repositoryId).storm,
          tables,
          wish.birth,
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

function circleOf(tables: Tables, agent: AgentRecord, wish: Extract<AgentWish, { type: "BLOCKED" }>) {
  const repositoryId = wish.elsewhere?.repositoryId ?? agent.repositoryId;
  return sleepersCircle(tables, agent, { repositoryId, number: wish.blocker });
}

async function verdictOn(tables: Tables, agent: AgentRecord): Promise<Surroundings["verdict"]> {
  if (agent.sleepReason !== "approval") return null;
  const decided = await tables.approvals.decided(agent.id, agent.token);
  return decided === undefined ? null : decided.state === "denied" ? "denied" : "granted";
}

/** The moves that look at it, or tell people what they can do. */
const MINDS_REJECTION: readonly AgentWish["type"][] = ["COMPLETE", "ESCALATE", "WAIT"];

async function rejectersOf(
  { verdicts }: Tables,
  agent: AgentRecord,
  { wish, task }: { readonly wish: AgentWish; readonly task: TaskRecord | undefined },
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
): Promise<Surroundings["slot"]> {
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
