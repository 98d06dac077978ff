import { AGENT_STATES, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Instruments } from "./instruments.ts";

/** What is remembered between two statements about one thing; each entry goes when the thing is over. */
export interface Memory {
  /** By guid, of claimed deliveries. */
  readonly events: Map<string, string>;
  /** By id, of leased effects. */
  readonly kinds: Map<number, string>;
  /** By id, of pending wakes: when they were due. */
  readonly due: Map<number, number>;
  /** By agent: when it came to the state that it is in. */
  readonly since: Map<number, number>;
  /** By agent, while it lives. */
  readonly roles: Map<number, string>;
}

export const emptyMemory = (): Memory => ({
  events: new Map(),
  kinds: new Map(),
  due: new Map(),
  since: new Map(),
  roles: new Map(),
});

/**
 * The same tables, counted: `later` is given what is to be counted, and runs it once the write is certain. Nothing that
 * is written or read changes.
 */
export function meteredTables<T extends Tables>(
  tables: T,
  {
    instruments: to,
    memory,
    later,
  }: { instruments: Instruments; memory: Memory; later: (count: () => void) => void },
): T {
  const { deliveries, effects, wakes, transitions, decisions, usage, records, toolCalls } = tables;
  const roleOf = async (agentId: number): Promise<string> => {
    const role = memory.roles.get(agentId) ?? (await records.get("agent", agentId))?.role ?? "unknown";
    memory.roles.set(agentId, role);
    return role;
  };
  return {
    ...tables,
    deliveries: {
      ...deliveries,
      async claim(options) {
        const rows = await deliveries.claim(options);
        for (const { guid, event } of rows) memory.events.set(guid, event);
        return rows;
      },
      async settle(guid, state, note, at) {
        const settled = await deliveries.settle(guid, state, note, at);
        if (settled)
          later(() => {
            to.deliveries.inc({ event: memory.events.get(guid) ?? "unknown", outcome: state });
            memory.events.delete(guid);
          });
        return settled;
      },
      async retry(guid, options) {
        await deliveries.retry(guid, options);
        later(() => to.deliveryRetries.inc({ event: memory.events.get(guid) ?? "unknown" }));
      },
    },
    effects: {
      ...effects,
      async lease(options) {
        const rows = await effects.lease(options);
        for (const { id, kind } of rows) {
          memory.kinds.set(id, kind);
          later(() => to.effectAttempts.inc({ kind }));
        }
        return rows;
      },
      async settle(id, outcome) {
        const settled = await effects.settle(id, outcome);
        if (settled)
          later(() => {
            to.effects.inc({ kind: memory.kinds.get(id) ?? "unknown", outcome: outcome.state });
            memory.kinds.delete(id);
          });
        return settled;
      },
    },
    wakes: {
      ...wakes,
      async due(now, agentIds) {
        const rows = await wakes.due(now, agentIds);
        for (const { id, dueAt, createdAt } of rows) memory.due.set(id, Math.max(dueAt, createdAt));
        return rows;
      },
      async pending(agentId) {
        const rows = await wakes.pending(agentId);
        for (const { id, dueAt, createdAt } of rows) memory.due.set(id, Math.max(dueAt, createdAt));
        return rows;
      },
      async settle(ids, state, at) {
        await wakes.settle(ids, state, at);
        later(() => {
          for (const id of ids) {
            const due = memory.due.get(id);
            memory.due.delete(id);
            if (state === "delivered" && due !== undefined) to.wakeSeconds.observe(seconds(at - due));
          }
        });
      },
    },
    transitions: {
      ...transitions,
      async add(row) {
        const agentId = row.machine === "agent" && row.from !== row.to ? row.recordId : null;
        // One that is made leaves no state.
        const leaves = agentId !== null && STATES.has(row.from);
        const since = leaves ? (memory.since.get(agentId) ?? (await cameTo(tables, row))) : undefined;
        await transitions.add(row);
        if (agentId === null) return;
        later(() => {
          if (since !== undefined) to.stateSeconds.observe({ state: row.from }, seconds(row.at - since));
          memory.since.set(agentId, row.at);
          if (LIVE.has(row.to)) return;
          memory.since.delete(agentId);
          memory.roles.delete(agentId);
        });
      },
    },
    decisions: {
      ...decisions,
      async add(row) {
        const id = await decisions.add(row);
        if (id !== null) later(() => to.decisions.inc({ rule: row.rule }));
        return id;
      },
    },
    usage: {
      ...usage,
      async add(call) {
        await usage.add(call);
        const labels = { model: call.model, role: await roleOf(call.agentId) };
        later(() => {
          to.tokens.inc({ ...labels, type: "input" }, call.inputTokens);
          to.tokens.inc({ ...labels, type: "cached" }, call.cachedTokens);
          to.tokens.inc({ ...labels, type: "output" }, call.outputTokens);
          to.cost.inc(labels, call.costMicroUsd / 1_000_000);
        });
      },
    },
    records: {
      ...records,
      async save(machine, before, after) {
        const saved = await records.save(machine, before, after);
        const rule = breakerOf(after);
        if (rule !== null && rule !== breakerOf(before)) later(() => to.breakers.inc({ rule }));
        return saved;
      },
      async count(agentId, counter, by) {
        const now = await records.count(agentId, counter, by);
        if (counter === "turns" && by > 0) {
          const role = await roleOf(agentId);
          later(() => to.turns.inc({ role }, by));
        }
        return now;
      },
    },
    toolCalls: {
      ...toolCalls,
      async end(call) {
        const ended = await toolCalls.end(call);
        if (ended !== undefined) later(() => to.toolCalls.inc({ status: call.status }));
        return ended;
      },
      async interrupt(of) {
        const cut = await toolCalls.interrupt(of);
        later(() => to.toolCalls.inc({ status: "interrupted" }, cut.length));
        return cut;
      },
    },
  };
}

const STATES: ReadonlySet<string> = new Set(AGENT_STATES);
const LIVE: ReadonlySet<string> = new Set(LIVE_AGENT_STATES);

/** When the agent came to the state that it leaves: by its last move there, else by its making. */
async function cameTo(
  { transitions, records }: Pick<Tables, "transitions" | "records">,
  { recordId, from }: { readonly recordId: number; readonly from: string },
): Promise<number | undefined> {
  const moves = await transitions.ofAgent(recordId);
  const last = moves.findLast((move) => move.machine === "agent" && move.to === from && move.from !== from);
  return last?.at ?? (await records.get("agent", recordId))?.createdAt;
}

function breakerOf(record: unknown): string | null {
  const is = typeof record === "object" && record !== null && "breaker" in record;
  return is && typeof record.breaker === "string" ? record.breaker : null;
}

function seconds(ms: number): number {
  return Math.max(0, ms) / 1000;
}
