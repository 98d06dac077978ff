import type { SpanContext } from "@opentelemetry/api";
import type { EffectRow, TransitionRow } from "../../domain/kernel/rows.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Place } from "./spans.ts";
import { rootOf } from "./trace-ids.ts";

/** The origin of work: its trace. */
export interface Origin {
  /** The delivery from which the work follows; null if unknown. */
  readonly delivery: string | null;
  /** The trace's root span, which exists only if there is a delivery. */
  readonly root: SpanContext;
}

type Decided = Pick<EffectRow, "key" | "agentId" | "repositoryId" | "issue" | "createdAt">;

/** The maximum number of effects followed back to a delivery. */
const MOST_STEPS = 5;
/** The number of an issue's transitions in which the delivery before an agent is searched. */
const MOVES_READ = 200;
/** The number of agents whose origin is cached. */
const REMEMBERED = 1000;

/**
 * The engine's key of an effect that follows from a fact: `<name of the
 * fact>:<repository>#<issue>:<index>:<kind>`.
 */
const FACT_KEY = /^(.+):\d+#\d+:\d+:\w+$/;
/**
 * Keys of periodic refreshes. Each is a trace of its own, because otherwise a trace of a long wait would
 * never end.
 */
const REFRESH_KEY = /^(?:[a-z]+-poll|train|catch-up):/;
const EFFECT_KEY = /^effect-(\d+)$/;

/** Finds the delivery from which work follows, only from stored rows, so that a restart changes no result. */
export class Origins {
  readonly #store: Pick<Store, "deliveries" | "effects" | "transitions">;
  readonly #agents = new Map<number, Promise<Origin>>();

  constructor(store: Pick<Store, "deliveries" | "effects" | "transitions">) {
    this.#store = store;
  }

  /**
   * Returns the agent's origin for an agent's effect. The key of any other effect begins with the delivery or
   * effect from which it follows; failing that, the last delivery before it that moved its issue is the
   * origin.
   */
  async ofEffect(row: Decided, steps = 0): Promise<Origin> {
    if (REFRESH_KEY.test(row.key)) return named(row.key);
    if (row.agentId !== null) return this.ofAgent(row.agentId);
    const { repositoryId, issue, createdAt } = row;
    const name = FACT_KEY.exec(row.key)?.[1] ?? row.key;
    const before = EFFECT_KEY.exec(name)?.[1];
    if (before !== undefined && steps < MOST_STEPS) {
      const effect = await this.#store.effects.get(Number(before));
      if (effect !== undefined) return this.ofEffect(effect, steps + 1);
    }
    const known = await this.#store.deliveries.known([name]);
    if (known.has(name)) return ofDelivery(name);
    return this.#before({ repositoryId, issue }, ({ at }) => at <= createdAt, name);
  }

  /**
   * Returns the delivery that created the agent; for one that another agent created, the last delivery before
   * it on its issue.
   */
  ofAgent(agentId: number): Promise<Origin> {
    const known = this.#agents.get(agentId);
    if (known !== undefined) return known;
    const found = this.#readAgent(agentId);
    this.#agents.set(agentId, found);
    found.catch(() => this.#agents.delete(agentId));
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > REMEMBERED && oldest !== undefined) this.#agents.delete(oldest);
    return found;
  }

  async #readAgent(agentId: number): Promise<Origin> {
    const { transitions } = this.#store;
    const made = (await transitions.ofAgent(agentId)).find(({ machine }) => machine === "agent");
    if (made === undefined) return named(`agent-${agentId}`);
    if (made.delivery !== null) return ofDelivery(made.delivery);
    return this.#before(made, ({ id }) => id < made.id, `agent-${agentId}`);
  }

  async #before(
    { repositoryId, issue }: Pick<TransitionRow, "repositoryId" | "issue">,
    isEarlier: (move: TransitionRow) => boolean,
    name: string,
  ): Promise<Origin> {
    const moves = await this.#store.transitions.ofIssue(repositoryId, issue, MOVES_READ);
    const before = moves.findLast((move) => move.delivery !== null && isEarlier(move));
    return before?.delivery ? ofDelivery(before.delivery) : named(name);
  }
}

export function ofDelivery(delivery: string): Origin {
  return { delivery, root: rootOf(`delivery ${delivery}`) };
}

/** Returns the span's place for work without a nearer parent. */
export function placeIn({ delivery, root }: Origin): Place {
  return delivery === null ? { root: { traceId: root.traceId } } : { below: root };
}

function named(name: string): Origin {
  return { delivery: null, root: rootOf(name) };
}
