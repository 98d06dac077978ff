import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  isOver,
  type ModelAccount,
  mayAsk,
  mayBegin,
  type ProviderPark,
  parked,
  staggerDelay,
} from "../../domain/breakers/provider-breaker.ts";
import type { ExchangeEnd } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import { readable } from "../kernel/readable.ts";

type Asker = Pick<AgentRecord, "id" | "activeSince">;

/**
 * The one account at the model provider that all agents share, and whether it answers. Turns begin between two writes to
 * the database, so this stands in memory too: read from there once, written before it is acted on.
 */
export class ProviderBreaker {
  #park: ProviderPark | null = null;
  #loaded = false;
  readonly #given: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    readonly account: string;
    readonly changed: () => void;
  };

  /** `changed` is told when agents that waited may continue. */
  constructor(given: {
    store: Store;
    clock: Clock;
    log: Log;
    account: ModelAccount;
    changed: () => void;
  }) {
    const { store, clock, log, account, changed } = given;
    this.#given = { store, clock, log, account: account.name, changed };
  }

  /** Why the agent may not start or wake now. Read inside the transaction that would save the move. */
  async refusal(tables: Pick<Tables, "records" | "providerParks">, agentId: number): Promise<true | string> {
    await this.#load(tables);
    const now = this.#given.clock.now();
    const park = this.#park;
    if (park === null || isOver(park, now)) return true;
    const active = await readable(tables, "agent", { state: "ACTIVE" });
    const probing = active.some((agent) => agent.id !== agentId && (agent.activeSince ?? 0) >= park.until);
    return mayBegin(park, { agentId, now, probing });
  }

  /** False when the agent's next model call would only meet the outage that cut off others. */
  mayAsk(agent: Asker): boolean {
    return mayAsk(this.#park, agent.activeSince ?? 0);
  }

  /** A model call came back with an answer. Resolves when the others may follow. */
  async answered(agent: Asker): Promise<void> {
    const park = this.#park;
    if (park === null || park.liftedAt !== null || (agent.activeSince ?? 0) < park.until) return;
    await this.#put({ ...park, liftedAt: this.#given.clock.now() });
    this.#given.log.info({ account: park.account, since: park.since }, "the model provider answers again");
    this.#given.changed();
  }

  /** The provider refused or failed an agent: nobody asks it for a while. */
  async failed(agent: Asker, end: Extract<ExchangeEnd, { kind: "model_error" }>): Promise<void> {
    const { account, clock, store, log } = this.#given;
    await this.#load(store);
    const park = parked(this.#park, {
      account,
      at: clock.now(),
      retryAfterMs: end.retryAfterMs,
      activeSince: agent.activeSince ?? 0,
      reason: `it answered ${end.status ?? "nothing"} (${end.reason})`,
    });
    await this.#put(park);
    log.warn({ ...park, detail: end.detail }, "the model provider is parked");
  }

  /** A person wants the provider asked now: the pause is over, and as after any other one agent asks first. */
  async askNow(): Promise<void> {
    await this.#load(this.#given.store);
    const until = this.#given.clock.now();
    if (this.#park !== null && this.#park.liftedAt === null && this.#park.until > until)
      await this.#put({ ...this.#park, until });
  }

  /** When the agent is to be woken. */
  dueAt(agentId: number): number {
    return (this.#park?.until ?? this.#given.clock.now()) + staggerDelay(agentId);
  }

  async #put(park: ProviderPark): Promise<void> {
    this.#park = park;
    await this.#given.store.providerParks.put(park);
  }

  async #load(tables: Pick<Tables, "providerParks">): Promise<void> {
    if (this.#loaded) return;
    const stored = await tables.providerParks.get(this.#given.account);
    this.#park ??= stored ?? null;
    this.#loaded = true;
  }
}
