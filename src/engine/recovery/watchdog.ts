import { setImmediate } from "node:timers/promises";
import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { leaseLost } from "../../domain/agents/lease-lost.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { ttlEvent } from "../../domain/breakers/ttl.ts";
import { warnOfLongSleep } from "../agents/long-sleep-warning.ts";
import { LongSleepers } from "../agents/long-sleepers.ts";
import { waitedFor } from "../agents/waited-for.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import { atWorkHere, isHere } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { type HoldUnreadable, readable, withReadableRows } from "../kernel/readable.ts";
import { heldBySprint } from "../planning/sprint-of.ts";
import type { Drivers } from "../sessions/drivers.ts";

/** A lease counts as lost when it expired this long ago. */
const LEASE_GRACE_MS = 60_000;

/**
 * Stops agents at their limits of active time, sleep time and time to live, and agents with a lost lease. The
 * session itself stops an exchange at its own limits (turns, tool calls); the WAKE rule limits wakes.
 */
export class Watchdog {
  readonly #context: EngineContext;
  readonly #drivers: Drivers;
  readonly #holdUnreadable: HoldUnreadable;
  readonly #sleepers: LongSleepers;

  constructor(context: EngineContext, drivers: Drivers, holdUnreadable: HoldUnreadable) {
    this.#holdUnreadable = holdUnreadable;
    this.#context = context;
    this.#sleepers = new LongSleepers(context.store, "may_expire");
    this.#drivers = drivers;
  }

  /** Watches the agents that work on this node, whose processes nobody else can see. */
  async roundOfNode(): Promise<void> {
    await this.#watch(await atWorkHere(this.#context));
  }

  /** Watches what the rows alone say of all agents; for one node at a time. */
  async roundOfFleet(): Promise<void> {
    await this.#watch(await this.#watched());
  }

  async #watch(agents: readonly AgentRecord[]): Promise<void> {
    const context = this.#context;
    for (const agent of agents) {
      await withReadableRows(agent.id, this.#holdUnreadable, async () => {
        const event = ttlEvent(agent, context.clock.now()) ?? (await eventFor(context, this.#drivers, agent));
        if (event === null) return;
        context.log.warn({ agent: agent.name, event: event.type }, "the watchdog acts");
        await advanceAgent(context, agent, { moves: [agentMove(agent, event)] });
        await setImmediate();
      });
    }
  }

  /** Returns the agents past their time to live, and a page of those that sleep longer than the shortest warning. */
  async #watched(): Promise<readonly AgentRecord[]> {
    const { store, clock, allSettings } = this.#context;
    const limits = allSettings().flatMap((settings) => [
      settings.limits.defaults,
      ...[...settings.roles.values()].map((role) => limitsFor(settings, role)),
    ]);
    const shortest = Math.min(...limits.map(({ maxSleepDurationMs, warnAt }) => maxSleepDurationMs * warnAt));
    const before = clock.now() - shortest + 1;
    const found = [
      ...(await this.#sleepers.next(before)),
      ...(await readable(store, "agent", { id: await store.records.outlived(clock.now()) })),
    ];
    return [...new Map(found.map((agent) => [agent.id, agent])).values()];
  }
}

async function eventFor(
  context: EngineContext,
  drivers: Drivers,
  agent: AgentRecord,
): Promise<AgentEvent | null> {
  if (agent.state === "ACTIVE")
    return isHere(context, agent) ? activeTimeEvent(context, drivers, agent) : null;
  return agent.state === "SLEEPING" ? sleepTimeEvent(context, agent) : null;
}

async function activeTimeEvent(
  context: EngineContext,
  drivers: Drivers,
  agent: AgentRecord,
): Promise<AgentEvent | null> {
  const at = context.clock.now();
  const { activeMs: allowed } = allowanceOf(limitsOf(context, agent), agent);
  if (activeMsOf(agent, at) >= allowed && (await hasBeenActive(context, drivers, { agent, at, allowed })))
    return {
      type: "FAIL",
      at,
      actor: "flotilla",
      reason: `the limit max_active_duration (${Math.round(allowed / 1000)} s) is reached`,
      breaker: "max_active_duration",
      code: "max_active_duration",
    };
  if (drivers.has(agent.id) || (await isOpening(context, agent))) {
    // A suspect's lease is not renewed; its driver probes it and ends it when it shows no sign of life.
    if (!drivers.checkLife(agent.id)) return null;
    await context.store.records.renewLease(
      agent.id,
      agent.token,
      agent.lastActivityAt ?? at,
      at + context.settings.leases.agentMs,
    );
    return null;
  }
  if (agent.leaseUntil === null || agent.leaseUntil + LEASE_GRACE_MS > at) return null;
  return leaseLost(at);
}

const activeMsOf = ({ activeMs, activeSince }: AgentRecord, at: number) =>
  activeMs + at - (activeSince ?? at);

/**
 * Returns the active time. Waiting for git, GitHub or the runtime does not count; the record is read again
 * after a wait that has just ended.
 */
async function hasBeenActive(
  context: EngineContext,
  drivers: Drivers,
  { agent, at, allowed }: { readonly agent: AgentRecord; readonly at: number; readonly allowed: number },
): Promise<boolean> {
  if (drivers.isWaiting(agent.id) || (await isOpening(context, agent))) return false;
  const now = await context.store.records.get("agent", agent.id);
  return now !== undefined && activeMsOf(now, at) >= allowed;
}

async function isOpening(context: EngineContext, agent: AgentRecord): Promise<boolean> {
  const opening = await context.store.effects.find({
    agentId: agent.id,
    kind: "open_session",
    state: ["pending", "leased"],
  });
  return opening.length > 0;
}

async function sleepTimeEvent(context: EngineContext, agent: AgentRecord): Promise<AgentEvent | null> {
  const at = context.clock.now();
  if (agent.sleepingSince === null || agent.heldBy.length > 0) return null;
  // A review has no deadline, and a question has its own.
  if (agent.sleepReason === "review" || agent.sleepReason === "question") return null;
  const limits = limitsOf(context, agent);
  await warnOfLongSleep(context, agent, limits);
  if (at - agent.sleepingSince < limits.maxSleepDurationMs) return null;
  // In a paused scope, or a sprint at its checkpoint, nothing could have woken the agent.
  if ((await context.store.scopePauses.over(agent.repositoryId)).length > 0) return null;
  if ((await heldBySprint(context.store, agent)).length > 0) return null;
  return { type: "EXPIRE", at, actor: "flotilla", waited: await waitedFor(context, agent) };
}

function limitsOf(context: EngineContext, agent: AgentRecord) {
  const role = context.roleOf(agent);
  const settings = context.settingsOf(agent.repositoryId);
  return role === undefined ? settings.limits.defaults : limitsFor(settings, role);
}
