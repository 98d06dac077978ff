import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  isOver,
  type ModelAccount,
  mayBegin,
  mayCallModel,
  type ProviderPark,
  parkAccount,
  staggerDelay,
} from "../../domain/breakers/provider-breaker.ts";
import type { ExchangeEnd } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import { readable } from "../kernel/readable.ts";

type Caller = Pick<AgentRecord, "id" | "activeSince">;

/**
 * Holds all agents back while the account at the model provider, which they share, does not answer. The state
 * is in memory, because turns begin between database writes; it is loaded once, and saved before it takes
 * effect.
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

  /** `changed` is called when waiting agents may continue. */
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

  /**
   * Returns why the agent may not start or wake now, or true. Called inside the transaction that would save
   * the transition.
   */
  async refusal(tables: Pick<Tables, "records" | "providerParks">, agentId: number): Promise<true | string> {
    await this.#load(tables);
    const now = this.#given.clock.now();
    const park = this.#park;
    if (park === null || isOver(park, now)) return true;
    const active = await readable(tables, "agent", { state: "ACTIVE" });
    const probing = active.some((agent) => agent.id !== agentId && (agent.activeSince ?? 0) >= park.until);
    return mayBegin(park, { agentId, now, probing });
  }

  /** Returns whether the agent may make its next model call; false during a known outage. */
  mayCallModel(agent: Caller): boolean {
    return mayCallModel(this.#park, agent.activeSince ?? 0);
  }

  /** Records that a model call was answered. Resolves when the other agents may continue. */
  async answered(agent: Caller): Promise<void> {
    const park = this.#park;
    if (park === null || park.liftedAt !== null || (agent.activeSince ?? 0) < park.until) return;
    await this.#put({ ...park, liftedAt: this.#given.clock.now() });
    this.#given.log.info({ account: park.account, since: park.since }, "the model provider answers again");
    this.#given.changed();
  }

  /**
   * Records that the provider refused or failed an agent's call: no agent calls it until the pause is over.
   */
  async failed(agent: Caller, end: Extract<ExchangeEnd, { kind: "model_error" }>): Promise<void> {
    const { account, clock, store, log } = this.#given;
    await this.#load(store);
    const park = parkAccount(this.#park, {
      account,
      at: clock.now(),
      retryAfterMs: end.retryAfterMs,
      activeSince: agent.activeSince ?? 0,
      reason: `it answered ${end.status ?? "nothing"} (${end.reason})`,
    });
    await this.#put(park);
    log.warn({ ...park, detail: end.detail }, "the model provider is parked");
  }

  /** Ends the pause because a person asks for it; as after any pause, one agent calls first. */
  async askNow(): Promise<void> {
    await this.#load(this.#given.store);
    const until = this.#given.clock.now();
    if (this.#park !== null && this.#park.liftedAt === null && this.#park.until > until)
      await this.#put({ ...this.#park, until });
  }

  /** Returns when the agent is to be woken, in milliseconds since the epoch. */
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
