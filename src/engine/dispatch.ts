import type { AgentWish, Grant } from "../core/machines/agent-event.ts";
import { type AgentRecord, COUNTED_WAKES, type WakeReason } from "../core/machines/agent-record.ts";
import type { WakeRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { advanceAgent, agentMove } from "./settle.ts";

/** Wakes by which a person lets an ESCALATED agent go on. */
const PERSONS: readonly WakeReason[] = ["answer", "approval", "message", "resumed", "review"];

/**
 * Offers every start and wake that waits, oldest first: agents in CREATED, sleepers whose time has come, pending wakes.
 * One that is refused for slot, hold or the like stays and is offered again at the next call.
 */
export async function dispatch(context: EngineContext): Promise<void> {
  await fallDue(context);
  for (const wakes of byAgent(await context.store.wakes.due(context.clock.now())))
    await offerWake(context, wakes);
  await offerStarts(context);
}

/** Sleeps with a time of their own become wakes. */
async function fallDue(context: EngineContext): Promise<void> {
  const now = context.clock.now();
  const sleepers = await context.store.records.find("agent", {
    state: "SLEEPING",
    sleepReason: ["retry", "provider_limit", "time"],
  });
  for (const agent of sleepers) {
    if (agent.dueAt === null || agent.dueAt > now) continue;
    const reason =
      agent.sleepReason === "provider_limit"
        ? "limit_reset"
        : agent.sleepReason === "time"
          ? "time"
          : "retry";
    await context.store.wakes.add({
      key: `due:${agent.id}:${agent.token}:${agent.dueAt}`,
      agentId: agent.id,
      reason,
      detail: "the wait is over",
      grant: null,
      dueAt: now,
      createdAt: now,
    });
  }
}

async function offerWake(context: EngineContext, wakes: readonly WakeRow[]): Promise<void> {
  const [first] = wakes;
  const agent = first === undefined ? undefined : await context.store.records.get("agent", first.agentId);
  if (agent === undefined || (await stopping(context, agent))) return;
  const wish = agent.state === "ESCALATED" ? resumeOf(agent, wakes, context) : wakeOf(wakes, context);
  if (wish !== null) await advanceAgent(context, agent, { moves: [agentMove(agent, wish)] });
}

/** The stop of its last period is under way; when that is settled, the wake is offered. */
async function stopping(context: EngineContext, agent: AgentRecord): Promise<boolean> {
  const stops = await context.store.effects.find({
    agentId: agent.id,
    kind: "close_session",
    state: ["pending", "leased"],
  });
  return stops.length > 0;
}

/** What people added, all together; null when nobody did. */
function granted(wakes: readonly WakeRow[]): Grant | null {
  const grants = wakes.flatMap(({ grant }) => grant ?? []);
  if (grants.length === 0) return null;
  return grants.reduce((sum, grant) => ({
    turns: sum.turns + grant.turns,
    toolCalls: sum.toolCalls + grant.toolCalls,
    wakes: sum.wakes + grant.wakes,
  }));
}

/** Of several, one that costs no iteration is taken; all grants among them count. */
function wakeOf(wakes: readonly WakeRow[], context: EngineContext): AgentWish | null {
  const free = wakes.find((wake) => !COUNTED_WAKES.includes(wake.reason) && wake.reason !== "message");
  const chosen = free ?? wakes.find((wake) => wake.reason !== "message") ?? wakes[0];
  if (chosen === undefined) return null;
  const grant = granted(wakes);
  return { type: "WAKE", at: context.clock.now(), actor: "flotilla", reason: chosen.reason, grant };
}

/** An ESCALATED agent goes on by a person's act, or when what it waited for too long has happened after all. */
function resumeOf(agent: AgentRecord, wakes: readonly WakeRow[], context: EngineContext): AgentWish | null {
  const expired = agent.category === "expired";
  const reason = wakes.find(
    (wake) => PERSONS.includes(wake.reason) || (expired && wake.reason === "blocker"),
  );
  if (reason === undefined) return null;
  const grant = granted(wakes);
  return { type: "RESUME", at: context.clock.now(), actor: "flotilla", holders: [], grant };
}

/** Without a free slot nobody is asked: each was refused for it at its creation, and that decision stands. */
async function offerStarts(context: EngineContext): Promise<void> {
  for (const agent of await context.store.records.find("agent", { state: "CREATED" })) {
    const used = await context.store.records.slotsInUse();
    if (used >= context.settings.runtime.maxConcurrentAgents) return;
    await offerStart(context, agent);
  }
}

async function offerStart(context: EngineContext, agent: AgentRecord): Promise<void> {
  await advanceAgent(context, agent, {
    moves: [
      agentMove(agent, {
        type: "START",
        at: context.clock.now(),
        actor: "flotilla",
        openBlockers: [],
        assignedTo: null,
      }),
    ],
  });
}

function byAgent(wakes: readonly WakeRow[]): readonly (readonly WakeRow[])[] {
  return [...Map.groupBy(wakes, (wake) => wake.agentId).values()];
}
