import { setImmediate } from "node:timers/promises";
import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord, Grant } from "../../domain/agents/agent-record.ts";
import { giveTurn, inTurn } from "../../domain/agents/fair-share.ts";
import { isInError, leadingWake, resumes } from "../../domain/agents/own-wake.ts";
import {
  declineOffer,
  makeOffer,
  noSlotText,
  type Offer,
  type Reason,
} from "../../domain/agents/start-offer.ts";
import { sumGrants } from "../../domain/commands/extension.ts";
import type { DecisionRule } from "../../domain/decisions/rules.ts";
import type { WakeRow } from "../../domain/kernel/rows.ts";
import type { IdsByRepository } from "../../domain/ports/agent-tables.ts";
import type { GitHubWork } from "../../domain/ports/github-app.ts";
import { remainingBlockers } from "../blockers/remaining-blockers.ts";
import { repeatedWake } from "../breakers/storm.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { type HoldUnreadable, withReadableRows } from "../kernel/readable.ts";
import { hasGitHubRoom } from "./github-room.ts";
import { placeFor } from "./place-for.ts";
import { tenants } from "./tenants.ts";

/**
 * Number of agents that are offered between two turns of the event loop. It is small, so that a slot that becomes free
 * meanwhile goes to an earlier agent.
 */
const OFFERS_A_TURN = 8;

/** Number of offers after which the free slots are checked again. */
const AT_ONCE = 50;

/**
 * Offers every pending start and wake: pending wakes, sleepers that are due, agents in CREATED. Those of one repository
 * in this order, oldest first; repositories and installations take turns. A refused one (no slot, a hold) is offered
 * again at the next call. An agent with an unreadable row is held by `holdUnreadable`.
 */
export async function startAgents(context: EngineContext, holdUnreadable: HoldUnreadable): Promise<void> {
  const { store, clock } = context;
  await addDueWakes(context, holdUnreadable);
  const waiting = [
    ...(await roomFor(context, "wake", await store.wakes.dueAgents(clock.now()))),
    ...(await roomFor(context, "start", await store.records.created())),
  ];
  await offerEach(context, holdUnreadable, waiting);
}

/** Offers its pending wakes to one sleeping agent. */
export async function startAgent(
  context: EngineContext,
  agentId: number,
  holdUnreadable: HoldUnreadable,
): Promise<void> {
  await addDueWakes(context, holdUnreadable);
  const waiting = await roomFor(context, "wake", await context.store.wakes.dueAgents(context.clock.now()));
  const own = waiting.filter(({ id }) => id === agentId);
  await offerEach(context, holdUnreadable, own);
}

interface Waiting {
  readonly id: number;
  readonly repositoryId: number;
  readonly offerTo: (context: EngineContext, agent: AgentRecord) => Promise<Offer | null>;
}

const OFFERS = { wake: woken, start: started } as const;

/** Returns those that wait in repositories for which GitHub's limits have room; the others are offered nothing and told nothing. */
async function roomFor(
  context: EngineContext,
  work: GitHubWork,
  ids: IdsByRepository,
): Promise<readonly Waiting[]> {
  const waiting: Waiting[] = [];
  for (const [repositoryId, own] of ids)
    if (await hasGitHubRoom(context, context.store, { repositoryId, work }))
      waiting.push(...own.map((id) => ({ id, repositoryId, offerTo: OFFERS[work] })));
  return waiting;
}

/**
 * Makes the agents their offers in turn, and yields to the event loop in between. Reads each agent just
 * before its offer, since it may have moved. Stops reading once no other can be at work, because every offer
 * would be refused.
 */
async function offerEach(
  context: EngineContext,
  holdUnreadable: HoldUnreadable,
  waiting: readonly Waiting[],
): Promise<void> {
  const { store, room } = context;
  const { tenantOf, weights } = await tenants(context, waiting);
  let index = 0;
  let refused = false;
  for (const { id, repositoryId, offerTo } of inTurn(waiting, tenantOf, weights, room.shares)) {
    if (index > 0 && index % AT_ONCE === 0 && (await noPlace(context)) !== null) {
      refused = true;
      break;
    }
    await withReadableRows(id, holdUnreadable, async () => {
      const agent = await store.records.get("agent", id);
      const offer = agent === undefined ? null : await offerTo(context, agent);
      const result = offer === null ? "none" : await writeOffer(context, offer);
      if (result === "taken") room.shares = giveTurn(room.shares, tenantOf({ repositoryId }), weights);
      if (result === "no_place") refused = true;
    });
    if (index % OFFERS_A_TURN === OFFERS_A_TURN - 1) await setImmediate();
    index += 1;
  }
  room.awaited = refused && (await noPlace(context)) !== null;
}

async function started(context: EngineContext, agent: AgentRecord): Promise<Offer | null> {
  return agent.state === "CREATED" ? offerOfStart(context, agent) : null;
}

async function woken(context: EngineContext, agent: AgentRecord): Promise<Offer | null> {
  // Its worktree and its conversation are there.
  if (context.nodes.isElsewhere(agent)) return null;
  const wakes = await context.store.wakes.due(context.clock.now(), [agent.id]);
  return wakes.length > 0 ? offerOf(context, agent, wakes) : null;
}

async function offerOf(
  context: EngineContext,
  agent: AgentRecord,
  wakes: readonly WakeRow[],
): Promise<Offer | null> {
  // The blocker is gone, and the agent now waits for something that ends without a wake.
  if (isInError(agent) && wakes.every(({ reason }) => reason === "blocker")) return null;
  return (
    (await repeatedWake(context, agent, wakes)) ??
    offerOfWakes(context, agent, wakes, await remainingBlockers(context, agent, wakes))
  );
}

/** Adds a wake for each sleeper whose due time has come. */
async function addDueWakes(context: EngineContext, holdUnreadable: HoldUnreadable): Promise<void> {
  const { records } = context.store;
  const due = {
    state: "SLEEPING",
    sleepReason: ["retry", "provider_limit", "time"],
    dueAt: { below: context.clock.now() + 1 },
  } as const;
  for (const id of await records.ids("agent", due)) {
    await withReadableRows(id, holdUnreadable, async () => {
      const [agent] = await records.find("agent", { ...due, id });
      if (agent !== undefined) await addDue(context, agent);
    });
    await setImmediate();
  }
}

async function addDue({ store, clock }: EngineContext, agent: AgentRecord): Promise<void> {
  const now = clock.now();
  const reason =
    agent.sleepReason === "provider_limit" ? "limit_reset" : agent.sleepReason === "time" ? "time" : "retry";
  await store.wakes.add({
    key: `due:${agent.id}:${agent.token}:${agent.dueAt}`,
    agentId: agent.id,
    reason,
    detail: "the wait is over",
    grant: null,
    dueAt: now,
    createdAt: now,
  });
}

/**
 * Chooses the offer that the pending wakes make. `blockers` = what else blocks the agent: a blocker's wake
 * takes effect only when it is empty.
 */
function offerOfWakes(
  context: EngineContext,
  agent: AgentRecord,
  all: readonly WakeRow[],
  blockers: readonly string[],
): Offer {
  const wakes = blockers.length === 0 ? all : all.filter(({ reason }) => reason !== "blocker");
  if (wakes.length === 0)
    return declineOffer(agent, {
      rule: "open_blocker",
      reason: `still blocked by ${blockers.join(", ")}`,
      change: "it wakes when the last of them is closed or taken off",
      inputs: { blockers },
    });
  const event = agent.state === "ESCALATED" ? resumeOf(agent, wakes, context) : wakeOf(agent, wakes, context);
  if (event !== null) return makeOffer(agent, event);
  return declineOffer(agent, {
    rule: "own_wake",
    reason: `${agent.name} is ${agent.state} and waits for a person`,
    change: "answer on the issue, or say `/flotilla resume`",
    inputs: { wakes: wakes.map(({ reason }) => reason) },
  });
}

/** Returns the sum of what people added to the limits, with no more turns than at once are allowed; null when nobody did. */
function granted(
  context: EngineContext,
  { repositoryId }: AgentRecord,
  wakes: readonly WakeRow[],
): Grant | null {
  const sum = sumGrants(wakes.flatMap(({ grant }) => grant ?? []));
  const { turnCeiling } = context.settingsOf(repositoryId).limits;
  return sum === null ? null : { ...sum, turns: Math.min(sum.turns, turnCeiling) };
}

/** Returns the WAKE for the leading wake, with the grants of all pending wakes. */
function wakeOf(agent: AgentRecord, wakes: readonly WakeRow[], context: EngineContext): AgentEvent | null {
  const chosen = leadingWake(agent, wakes);
  if (chosen === undefined) return null;
  const grant = granted(context, agent, wakes);
  const actor = grant?.by.at(-1) ?? "flotilla";
  return { type: "WAKE", at: context.clock.now(), actor, reason: chosen.reason, grant };
}

/**
 * Returns the RESUME of an ESCALATED agent: after a person's act, or when what it waited for too long has
 * happened.
 */
function resumeOf(agent: AgentRecord, wakes: readonly WakeRow[], context: EngineContext): AgentEvent | null {
  if (!wakes.some(({ reason }) => resumes(agent, reason))) return null;
  const grant = granted(context, agent, wakes);
  const actor = grant?.by.at(-1) ?? "flotilla";
  return { type: "RESUME", at: context.clock.now(), actor, holders: [], grant };
}

async function offerOfStart(context: EngineContext, agent: AgentRecord): Promise<Offer> {
  // Checking the places first avoids reading, for each agent in a long queue, everything that a start depends
  // on.
  const none = await noPlace(context);
  if (none !== null) return declineOffer(agent, none);
  return makeOffer(agent, {
    type: "START",
    at: context.clock.now(),
    actor: "flotilla",
    assignedTo: null,
  });
}

/** Writes the result of an offer: an event for the agent's machine, which may refuse it, or a decision. */
async function writeOffer(context: EngineContext, offer: Offer): Promise<"taken" | "no_place" | "refused"> {
  const { room } = context;
  if (offer.offer === "declined") {
    await advanceAgent(context, offer.agent, { decisions: [offer.decision] });
    return isNoPlace(offer.decision.rule) ? "no_place" : "refused";
  }
  room.turn = offer.agent.id;
  try {
    const { moved, refused } = await advanceAgent(context, offer.agent, {
      moves: [agentMove(offer.agent, offer.event)],
    });
    if (moved.some(({ machine, to }) => machine === "agent" && to === "ACTIVE")) return "taken";
    return refused.some(({ rule }) => isNoPlace(rule)) ? "no_place" : "refused";
  } finally {
    room.turn = null;
  }
}

const isNoPlace = (rule: DecisionRule) => rule === "slot" || rule === "room";

/** Returns the decision about every agent that waits while no other can be at work; null while one can. */
async function noPlace(context: EngineContext): Promise<Reason | null> {
  const { store, settings } = context;
  const limit = settings.runtime.maxConcurrentAgents;
  if ((await store.records.slotsInUse()) >= limit)
    return {
      rule: "slot",
      reason: noSlotText(limit),
      change: "it starts automatically when a slot is free",
      inputs: { limit },
    };
  const { room } = await placeFor(context, store, null);
  return room === true ? null : { rule: "room", ...room, inputs: {} };
}
