import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Allowance } from "../../domain/breakers/allowance.ts";
import { costOf, type Price, type TokenUse } from "../../domain/breakers/money.ts";
import type { RuntimeEvent } from "../../domain/ports/agent-runtime.ts";
import {
  dearestCall,
  nextCall,
  roomToWrapUp,
  type Spend,
  spentLimit,
} from "../../domain/sessions/model-call.ts";
import type { RuntimeUse } from "../../domain/settings/runtime-use.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { callTerms, priceReported } from "../kernel/models-of.ts";

type Usage = Extract<RuntimeEvent, { type: "usage" }>;

/**
 * Counts what one agent spends on models. The count in memory starts from the database and runs ahead of it;
 * all models that the agent pays for share it.
 */
export class Spending {
  #account: { tokens: number; costMicroUsd: number };
  #last: TokenUse | null = null;
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #use: RuntimeUse;
  /** The model that is asked at present. */
  #answering: string;
  readonly #allowance: Allowance;

  /** `use` is what the session is opened with. */
  constructor(
    context: EngineContext,
    options: { agent: AgentRecord; allowance: Allowance; use: RuntimeUse },
  ) {
    this.#context = context;
    this.#use = options.use;
    this.#answering = options.use.models[0].model;
    this.#allowance = options.allowance;
    this.#account = { tokens: options.agent.tokens, costMicroUsd: options.agent.costMicroUsd };
    this.#agent = options.agent;
  }

  get tokens(): number {
    return this.#account.tokens;
  }

  get costMicroUsd(): number {
    return this.#account.costMicroUsd;
  }

  /** Returns the spending of another session that the same agent pays for. */
  of(use: RuntimeUse): Spending {
    const other = new Spending(this.#context, { agent: this.#agent, allowance: this.#allowance, use });
    other.#account = this.#account;
    return other;
  }

  /** Records that another model of the session is asked from now on. */
  modelChanged(model: string): void {
    this.#answering = model;
  }

  /**
   * Counts one model call or compaction at once; the returned function writes its row and the counters
   * together.
   */
  add(usage: Usage, at: number): () => Promise<void> {
    const price = priceReported(this.#context.settings.runtime.prices, {
      reported: usage.model,
      models: this.#use.models,
      answering: this.#answering,
    });
    const { model, inputTokens, outputTokens, cachedTokens } = usage;
    const tokens = inputTokens + outputTokens;
    const costMicroUsd = price === undefined ? 0 : costOf(price, usage);
    const agentId = this.#agent.id;
    this.#account.tokens += tokens;
    this.#account.costMicroUsd += costMicroUsd;
    this.#last = usage;
    if (this.#context.ledger.spend(this.#agent.repositoryId, costMicroUsd, at))
      this.#context.log.warn(
        { repository: this.#agent.repositoryId, ...this.#context.ledger.use(this.#agent.repositoryId, at) },
        "a repository comes near its budget of the day",
      );
    return () =>
      this.#context.store.transaction(async (tables) => {
        await tables.usage.add({ agentId, model, inputTokens, outputTokens, cachedTokens, costMicroUsd, at });
        await tables.records.count(agentId, "tokens", tokens);
        if (costMicroUsd > 0) await tables.records.count(agentId, "costMicroUsd", costMicroUsd);
      });
  }

  /**
   * Returns the limit that forbids another model call while `underWay` prompt tokens are not counted; null
   * while one is allowed.
   */
  reached(underWay = 0): "max_tokens" | "max_cost_usd" | null {
    const price = this.#price();
    const use = { inputTokens: underWay, outputTokens: 0, cachedTokens: 0 };
    const costMicroUsd = this.costMicroUsd + (price === undefined ? 0 : costOf(price, use));
    return spentLimit({ tokens: this.tokens + underWay, costMicroUsd }, this.#allowance);
  }

  roomToWrapUp(): boolean {
    const next = nextCall(this.#last, this.#price());
    return roomToWrapUp(this, this.#allowance, { next, dearest: this.#dearest() });
  }

  /** Reserves a model call in the repository's daily budget; returns false when it is spent. */
  begin(at: number): boolean {
    const { costMicroUsd } = this.#dearest();
    return this.#context.ledger.begin({
      agentId: this.#agent.id,
      repositoryId: this.#agent.repositoryId,
      costMicroUsd,
      at,
    });
  }

  /** Releases the reservation of an ended call. */
  end(): void {
    this.#context.ledger.end(this.#agent.id);
  }

  #dearest(): Spend {
    return dearestCall(callTerms(this.#context, this.#use));
  }

  #price(): Price | undefined {
    return this.#context.settings.runtime.prices.get(this.#answering);
  }
}
