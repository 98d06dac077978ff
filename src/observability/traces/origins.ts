import type { SpanContext } from "@opentelemetry/api";
import type { EffectRow, TransitionRow } from "../../domain/kernel/rows.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Place } from "./spans.ts";
import { rootOf } from "./trace-ids.ts";

/** The trace that something belongs to. */
export interface Origin {
  /** The delivery from which all of it follows; null where none is known. */
  readonly delivery: string | null;
  /** Of its root span, which is there only where there is a delivery. */
  readonly root: SpanContext;
}

type Decided = Pick<EffectRow, "key" | "agentId" | "repositoryId" | "issue" | "createdAt">;

/** How far it is followed from effect to effect. */
const MOST_STEPS = 5;
/** Moves of an issue among which is looked for the delivery before an agent. */
const MOVES_READ = 200;
/** Agents that are remembered. */
const REMEMBERED = 1000;

/** `<name of the fact>:<repository>#<issue>:<index>:<kind>`, as the engine keys what follows from a fact. */
const OF_A_FACT = /^(.+):\d+#\d+:\d+:\w+$/;
/** Looks that time alone asks for, again and again: each is a story of its own, or a trace of a long wait would never end. */
const A_LOOK = /^(?:[a-z]+-poll|train|catch-up):/;
const OF_AN_EFFECT = /^effect-(\d+)$/;

/** Finds out what followed from which delivery, by nothing but what is on record: so a restart changes no answer. */
export class Origins {
  readonly #store: Pick<Store, "deliveries" | "effects" | "transitions">;
  readonly #agents = new Map<number, Promise<Origin>>();

  constructor(store: Pick<Store, "deliveries" | "effects" | "transitions">) {
    this.#store = store;
  }

  /**
   * An agent's acts are the agent's; another's name begins with the delivery or the effect that it follows from. Else it
   * came of the last delivery before it that moved something on its issue.
   */
  async ofEffect(row: Decided, steps = 0): Promise<Origin> {
    if (A_LOOK.test(row.key)) return named(row.key);
    if (row.agentId !== null) return this.ofAgent(row.agentId);
    const { repositoryId, issue, createdAt } = row;
    const name = OF_A_FACT.exec(row.key)?.[1] ?? row.key;
    const before = OF_AN_EFFECT.exec(name)?.[1];
    if (before !== undefined && steps < MOST_STEPS) {
      const effect = await this.#store.effects.get(Number(before));
      if (effect !== undefined) return this.ofEffect(effect, steps + 1);
    }
    const known = await this.#store.deliveries.known([name]);
    if (known.has(name)) return ofDelivery(name);
    return this.#before({ repositoryId, issue }, ({ at }) => at <= createdAt, name);
  }

  /** That of the delivery which made it; of one that came of an agent's act, the last delivery before it on its issue. */
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

/** Where what belongs to it stands when nothing nearer is known. */
export function placeIn({ delivery, root }: Origin): Place {
  return delivery === null ? { root: { traceId: root.traceId } } : { below: root };
}

function named(name: string): Origin {
  return { delivery: null, root: rootOf(name) };
}
