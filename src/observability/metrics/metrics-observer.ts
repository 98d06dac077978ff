import { AGENT_STATES, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import type { TransitionRow } from "../../domain/kernel/rows.ts";
import type { NewTransition } from "../../domain/ports/audit-tables.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { StoreObserver } from "../../domain/ports/store-observer.ts";
import type { Instruments } from "./instruments.ts";

const STATES: ReadonlySet<string> = new Set(AGENT_STATES);
const LIVE: ReadonlySet<string> = new Set(LIVE_AGENT_STATES);

type Reads = Pick<Store, "transitions" | "records">;
type Due = { readonly id: number; readonly dueAt: number; readonly createdAt: number };

/** Counts what the store does. Reads from `store` what happened before this process started. */
export function createMetricsObserver(to: Instruments, store: Reads): StoreObserver {
  // These maps carry facts from one call to a later one; an entry is removed with its subject.
  /** Event names by guid, of claimed deliveries. */
  const events = new Map<string, string>();
  /** Kinds by id, of leased effects. */
  const kinds = new Map<number, string>();
  /** Due times by id, of pending wakes. */
  const due = new Map<number, number>();
  /** By agent, the time at which it entered its state. */
  const since = new Map<number, number>();
  /** Roles by agent, while it lives. */
  const roles = new Map<number, string>();

  /** Calls `count` with the agent's role, synchronously if the role is known. */
  function withRole(agentId: number, count: (role: string) => void): void | Promise<void> {
    const known = roles.get(agentId);
    return known === undefined ? readRole(agentId).then(count) : count(known);
  }
  async function readRole(agentId: number): Promise<string> {
    const role = (await store.records.get("agent", agentId))?.role ?? "unknown";
    roles.set(agentId, role);
    return role;
  }
  const remember = (wakes: readonly Due[]): void => {
    for (const { id, dueAt, createdAt } of wakes) due.set(id, Math.max(dueAt, createdAt));
  };

  function follow(move: NewTransition): void | Promise<void> {
    const { machine, recordId: agentId, from, at } = move;
    if (machine !== "agent" || from === move.to) return;
    const known = since.get(agentId);
    since.set(agentId, at);
    if (!LIVE.has(move.to)) {
      since.delete(agentId);
      roles.delete(agentId);
    }
    // A new agent leaves no state.
    if (!STATES.has(from)) return;
    const leave = (entered: number | undefined): void => {
      if (entered !== undefined) to.stateSeconds.observe({ state: from }, seconds(at - entered));
    };
    return known === undefined ? cameTo(store, move).then(leave) : leave(known);
  }

  return {
    calls: {
      deliveries: {
        claim: (_, rows) => {
          for (const { guid, event } of rows) events.set(guid, event);
        },
        settle: ([guid, , outcome], settled) => {
          if (!settled) return;
          to.deliveries.inc({ event: events.get(guid) ?? "unknown", outcome });
          events.delete(guid);
        },
        retry: ([guid], done) => {
          if (done) to.deliveryRetries.inc({ event: events.get(guid) ?? "unknown" });
        },
      },
      effects: {
        lease: (_, rows) => {
          for (const { id, kind } of rows) {
            kinds.set(id, kind);
            to.effectAttempts.inc({ kind });
          }
        },
        settle: ([id, , { state }], settled) => {
          if (!settled) return;
          to.effects.inc({ kind: kinds.get(id) ?? "unknown", outcome: state });
          kinds.delete(id);
        },
      },
      wakes: {
        due: (_, wakes) => remember(wakes),
        pending: (_, wakes) => remember(wakes),
        settle: ([ids, state, at]) => {
          for (const id of ids) {
            const dueAt = due.get(id);
            due.delete(id);
            if (state === "delivered" && dueAt !== undefined) to.wakeSeconds.observe(seconds(at - dueAt));
          }
        },
      },
      transitions: {
        add: async (moves) => {
          for (const move of moves) await follow(move);
        },
      },
      decisions: {
        add: ([{ rule }], id) => {
          if (id !== null) to.decisions.inc({ rule });
        },
      },
      usage: {
        add: ([call]) =>
          withRole(call.agentId, (role) => {
            const labels = { model: call.model, role };
            to.tokens.inc({ ...labels, type: "input" }, call.inputTokens);
            to.tokens.inc({ ...labels, type: "cached" }, call.cachedTokens);
            to.tokens.inc({ ...labels, type: "output" }, call.outputTokens);
            to.cost.inc(labels, call.costMicroUsd / 1_000_000);
          }),
      },
      runEvents: {
        add: (rows) => {
          for (const { event } of rows)
            if (event.type === "agent:model")
              to.modelChanges.inc({ from: event.data.from, to: event.data.to });
        },
      },
      records: {
        save: ([, before, after]) => {
          const rule = breakerOf(after);
          if (rule !== null && rule !== breakerOf(before)) to.breakers.inc({ rule });
        },
        count: ([agentId, counter, by]) => {
          if (counter === "turns" && by > 0) return withRole(agentId, (role) => to.turns.inc({ role }, by));
        },
      },
      toolCalls: {
        end: ([{ status }], ended) => {
          if (ended !== undefined) to.toolCalls.inc({ status });
        },
        deny: (_, denied) => to.toolCalls.inc({ status: "denied" }, denied.length),
        interrupt: (_, interrupted) => to.toolCalls.inc({ status: "interrupted" }, interrupted.length),
      },
    },
  };
}

/**
 * Returns when the agent entered the state that this transition leaves: at its previous transition, or at its
 * creation.
 */
async function cameTo(
  { transitions, records }: Reads,
  { recordId, from, to, at }: Pick<TransitionRow, "recordId" | "from" | "to" | "at">,
): Promise<number | undefined> {
  const moves = (await transitions.ofAgent(recordId)).filter(
    (move) => move.machine === "agent" && move.from !== move.to,
  );
  const left = moves.findIndex((move) => move.from === from && move.to === to && move.at === at);
  const entered = moves.slice(0, Math.max(0, left)).findLast((move) => move.to === from);
  return entered?.at ?? (await records.get("agent", recordId))?.createdAt;
}

function breakerOf(record: object): string | null {
  return "breaker" in record && typeof record.breaker === "string" ? record.breaker : null;
}

function seconds(ms: number): number {
  return Math.max(0, ms) / 1000;
}
