import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Chooses } from "../../domain/agents/start-choice.ts";
import {
  type AskedModel,
  accountAnswering,
  isOver,
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

type Caller = Pick<AgentRecord, "id" | "activeSince"> & Chooses;

/**
 * Holds agents back while none of the accounts that their models are asked with answers; other agents with such an account wait
 * too. The state is in memory, because turns begin between database writes; that of an account is loaded once, and saved before
 * it takes effect.
 */
export class ProviderBreaker {
  /** By account; null = no outage is known. */
  readonly #parks = new Map<string, ProviderPark | null>();
  readonly #given: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    readonly asks: (agent: Chooses) => readonly [AskedModel, ...AskedModel[]];
    readonly changed: () => void;
  };

  /** `asks` returns the models of an agent; `changed` is called when waiting agents may continue. */
  constructor(given: {
    store: Store;
    clock: Clock;
    log: Log;
    asks: (agent: Chooses) => readonly [AskedModel, ...AskedModel[]];
    changed: () => void;
  }) {
    const { store, clock, log, asks, changed } = given;
    this.#given = { store, clock, log, asks, changed };
  }

  /**
   * Returns why the agent may not start or wake now, or true. Called inside the transaction that would save
   * the transition.
   */
  async refusal(tables: Pick<Tables, "records" | "providerParks">, agent: Caller): Promise<true | string> {
    const accounts = this.#accountsOf(agent);
    await this.#load(tables, accounts);
    const now = this.#given.clock.now();
    const parked = this.#firstFree(accounts);
    if (parked === null || isOver(parked, now)) return true;
    const active = await readable(tables, "agent", { state: "ACTIVE" });
    const probing = active.some(
      (other) =>
        other.id !== agent.id &&
        (other.activeSince ?? 0) >= parked.until &&
        this.#accountsOf(other).includes(parked.account),
    );
    return mayBegin(parked, { agentId: agent.id, now, probing });
  }

  /** Returns whether the agent may make its next model call; false during a known outage of all its models. */
  mayCallModel(agent: Caller): boolean {
    return this.#accountsOf(agent).some((account) =>
      mayCallModel(this.#park(account), agent.activeSince ?? 0),
    );
  }

  /** Records that `model` answered a call of the agent. Resolves when the other agents may continue. */
  async answered(agent: Caller, model: string): Promise<void> {
    const park = this.#park(accountAnswering(this.#given.asks(agent), model));
    if (park === null || park.liftedAt !== null || (agent.activeSince ?? 0) < park.until) return;
    await this.#put({ ...park, liftedAt: this.#given.clock.now() });
    this.#given.log.info({ account: park.account, since: park.since }, "the model provider answers again");
    this.#given.changed();
  }

  /**
   * Records that all models of an agent refused or failed its call: no agent asks their accounts until the pause is over.
   */
  async failed(agent: Caller, end: Extract<ExchangeEnd, { kind: "model_error" }>): Promise<void> {
    const { clock, store, log } = this.#given;
    const accounts = this.#accountsOf(agent);
    await this.#load(store, accounts);
    for (const account of accounts) {
      const park = parkAccount(this.#park(account), {
        account,
        at: clock.now(),
        retryAfterMs: end.retryAfterMs,
        activeSince: agent.activeSince ?? 0,
        reason: `it answered ${end.status ?? "nothing"} (${end.reason})`,
      });
      await this.#put(park);
      log.warn({ ...park, detail: end.detail }, "the model provider is parked");
    }
  }

  /** Ends all pauses because a person asks for it; as after any pause, one agent calls first. */
  async askNow(): Promise<void> {
    const { store, clock } = this.#given;
    const until = clock.now();
    const active = await readable(store, "agent", { state: ["CREATED", "ACTIVE", "SLEEPING", "ESCALATED"] });
    await this.#load(store, [...new Set(active.flatMap((agent) => this.#accountsOf(agent)))]);
    for (const park of this.#parks.values())
      if (park !== null && park.liftedAt === null && park.until > until) await this.#put({ ...park, until });
  }

  /** Returns when the agent is to be woken, in milliseconds since the epoch. */
  dueAt(agent: Caller): number {
    const parked = this.#firstFree(this.#accountsOf(agent));
    return (parked?.until ?? this.#given.clock.now()) + staggerDelay(agent.id);
  }

  #accountsOf(agent: Chooses): readonly string[] {
    return [...new Set(this.#given.asks(agent).map(({ account }) => account))];
  }

  #park(account: string): ProviderPark | null {
    return this.#parks.get(account) ?? null;
  }

  /** Returns the park that ends first; null where one of the accounts is not parked. */
  #firstFree(accounts: readonly string[]): ProviderPark | null {
    let first: ProviderPark | null = null;
    for (const account of accounts) {
      const park = this.#park(account);
      if (park === null) return null;
      if (first === null || freeAt(park) < freeAt(first)) first = park;
    }
    return first;
  }

  async #put(park: ProviderPark): Promise<void> {
    this.#parks.set(park.account, park);
    await this.#given.store.providerParks.put(park);
  }

  async #load(tables: Pick<Tables, "providerParks">, accounts: readonly string[]): Promise<void> {
    for (const account of accounts) {
      if (this.#parks.has(account)) continue;
      const stored = await tables.providerParks.get(account);
      if (!this.#parks.has(account)) this.#parks.set(account, stored ?? null);
    }
  }
}

const freeAt = ({ liftedAt, until }: ProviderPark) => liftedAt ?? until;
