import PQueue from "p-queue";
import { Withheld } from "../../domain/access/level.ts";
import { onWithheld } from "../../domain/access/on-withheld.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isOurs } from "../../domain/agents/unreachable.ts";
import { backoff } from "../../domain/kernel/backoff.ts";
import { type ChangeSet, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import type { EffectKind } from "../../domain/kernel/effect.ts";
import { DatabaseUnreachable, LostClaim, messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { LogContext } from "../../domain/ports/log.ts";
import type { EffectTable } from "../../domain/ports/store.ts";
import { LEASE_MS } from "../../domain/recovery/node.ts";
import { mayTryAgain } from "../../domain/tasks/may-try-again.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { ClaimInTurn } from "./claim-in-turn.ts";
import { CATALOG, kindsFor } from "./effect-catalog.ts";
import { resultOfFailure } from "./effect-failed.ts";
import type { Execution, Executors, Outcome } from "./execution.ts";
import { githubForEffect } from "./github-for-effect.ts";
import { isShortWait, tellDeferred } from "./github-limit.ts";
import { isStale, movedOn } from "./is-stale.ts";
import { levelFor } from "./level-guard.ts";
import { withTimeLimit } from "./with-time-limit.ts";

/** The maximum number of effects that run at once; each lane has at most one. */
const CONCURRENCY = 16;

/** Delay before an outcome that could not be written is written again. */
const RECORD_AGAIN_MS = 1_000;

/** An effect with the token of its lease. */
type LeasedEffect = EffectRow & { readonly lease: string };

/**
 * Leases effects, runs them and records their outcomes. Driven by `tick`; calls `onSettled` after each
 * effect.
 */
export class Dispatcher {
  readonly #context: EngineContext;
  readonly #executors: Executors;
  readonly #drivers: () => Drivers;
  readonly #turns: ClaimInTurn;
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #onceSettled = new Map<number, Set<() => void>>();
  /** Tokens of leases that failed: the database may have written them all the same. */
  readonly #unanswered = new Set<string>();
  readonly #onSettled: () => void;
  #stopped = false;
  #isLeaving = false;

  constructor(
    context: EngineContext,
    options: { executors: Executors; drivers: () => Drivers; onSettled: () => void },
  ) {
    this.#context = context;
    this.#turns = new ClaimInTurn(context.store.repositories, context.settings.weights);
    this.#executors = options.executors;
    this.#drivers = options.drivers;
    this.#onSettled = options.onSettled;
  }

  /**
   * Leases the due effects, of one lane if given, and starts them. Resolves with their number, without
   * waiting for their outcomes.
   */
  async tick(lane?: string): Promise<number> {
    const room = CONCURRENCY - this.#queue.pending;
    const { store, clock, node, nonce, alone, nodes, roles } = this.#context;
    const kinds = kindsFor(roles);
    if (this.#stopped || room <= 0 || kinds?.length === 0) return 0;
    const token = nonce();
    const isLeaving = this.#isLeaving || nodes.leavesToOthers;
    await this.#releaseUnanswered();
    const given = {
      token,
      node,
      now: clock.now(),
      leaseMs: (kind: EffectKind) => CATALOG[kind].limitMs,
      kinds,
      ...(alone ? {} : { presentSince: clock.now() - LEASE_MS, isLeaving }),
    };
    const leasing =
      lane === undefined
        ? this.#turns.claim(room, (limit, except) => store.effects.lease({ ...given, limit, except }))
        : store.effects.lease({ ...given, limit: room, lane });
    const rows = await leasing.catch((error: unknown) => {
      this.#unanswered.add(token);
      throw error;
    });
    for (const row of rows)
      this.#queue
        .add(() => this.#runWithFields({ ...row, lease: token }))
        .catch((error: unknown) => {
          this.#context.log.error({ error, effect: row.key }, "effect outcome not recorded");
        });
    return rows.length;
  }

  async #releaseUnanswered(): Promise<void> {
    for (const token of this.#unanswered) {
      await this.#context.store.effects.release(token);
      this.#unanswered.delete(token);
    }
  }

  busy(): boolean {
    return this.#queue.pending + this.#queue.size > 0;
  }

  /** Resolves when no effect is running. */
  async idle(): Promise<void> {
    await this.#queue.onIdle();
  }

  /** Leases from now on only what no other node can do. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Stops leasing; effects that are running continue. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when the effect is settled, or after `withinMs`. */
  async settled(effectId: number, withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#context.clock.after(withinMs, resolve);
    const waiting = this.#onceSettled.get(effectId) ?? new Set();
    this.#onceSettled.set(effectId, waiting.add(resolve));
    // Read after registering, so that an end in between is not missed.
    const row = await this.#context.store.effects.get(effectId);
    if (row?.state === "pending" || row?.state === "leased") await promise;
    cancel();
    waiting.delete(resolve);
    if (waiting.size === 0 && this.#onceSettled.get(effectId) === waiting) this.#onceSettled.delete(effectId);
  }

  /** Tells those who wait for an effect that another node has settled. */
  async tellSettledElsewhere(): Promise<void> {
    const { alone, store } = this.#context;
    const ids = [...this.#onceSettled.keys()];
    if (alone || ids.length === 0) return;
    const open = await store.effects.find({ id: ids, state: ["pending", "leased"] });
    const unsettled = new Set(open.map(({ id }) => id));
    for (const id of ids) if (!unsettled.has(id)) this.#tell(id);
  }

  async #runWithFields(row: LeasedEffect): Promise<void> {
    const { store, within: withFields } = this.#context;
    let agent: AgentRecord | null = null;
    let fields: LogContext;
    try {
      if (row.agentId !== null) agent = (await store.records.get("agent", row.agentId)) ?? null;
      fields = await this.#logFields(row, agent);
    } catch (error) {
      await this.#failed(row, error);
      return;
    }
    await withFields(fields, () => this.#run(row, agent));
  }

  async #logFields(
    { key: effect, repositoryId: repository, issue }: EffectRow,
    agent: AgentRecord | null,
  ): Promise<LogContext> {
    if (agent === null) return { effect, repository, issue };
    const run = (await this.#context.store.records.find("run", { agentId: agent.id })).at(-1);
    return {
      effect,
      repository,
      issue,
      agent: agent.name,
      ...(run === undefined ? {} : { run: run.id }),
    };
  }

  /** Runs the effect. `agent` was read after the lease. */
  async #run(row: LeasedEffect, agent: AgentRecord | null): Promise<void> {
    const context = this.#context;
    context.crashPoint("effect:leased");
    if (isStale(row, agent, context.node)) {
      await this.#settle(row, "skipped", null, "the agent has moved on since", movedOn(row));
      return;
    }
    try {
      const repository = await repositoryOf(context, row.repositoryId);
      const level = await levelFor(context, repository, row);
      const { limitMs } = CATALOG[row.kind];
      const until = context.clock.now() + limitMs;
      const outcome = await withTimeLimit(
        context.clock,
        limitMs,
        execute(this.#executors, row.kind, {
          context: { ...context, ...githubForEffect(context, { row, level, until }) },
          drivers: this.#drivers(),
          row,
          effect: row.payload,
          agent,
          repository,
          level,
        }),
      );
      context.crashPoint(`effect:${row.kind}`);
      await this.#settle(
        row,
        "done",
        outcome.result,
        null,
        { ...NO_CHANGES, ...outcome.changes },
        outcome.also,
      );
    } catch (error) {
      if (error instanceof Withheld) await this.#withheld(row, agent, error);
      else await this.#failed(row, error);
    }
  }

  /** Records the outcome with what follows from it; nothing where another has leased the effect meanwhile. */
  async #settle(
    row: LeasedEffect,
    state: "done" | "failed" | "skipped",
    result: unknown,
    error: string | null,
    changes: ChangeSet,
    also?: Parameters<typeof advance>[1]["also"],
  ): Promise<void> {
    const at = this.#context.clock.now();
    const settled = this.#recorded(row, () =>
      advance(this.#context, {
        at,
        repositoryId: row.repositoryId,
        issue: row.issue,
        delivery: null,
        name: `effect-${row.id}`,
        changes,
        also: async (tables) => {
          if (!(await tables.effects.settle(row.id, row.lease, { state, result, error, at })))
            throw new LostClaim(`effect ${row.key}`);
          await also?.(tables);
        },
      }),
    );
    const lost = await settled.then(
      () => false,
      (failure: unknown) => {
        if (failure instanceof LostClaim) return true;
        throw failure;
      },
    );
    if (lost) this.#lost(row);
    else this.#notifySettled(row.id);
  }

  /** Writes again while the database does not answer: only this process knows the outcome. */
  async #recorded<T>({ key: effect }: LeasedEffect, write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DatabaseUnreachable) || this.#stopped) throw error;
        this.#context.log.error({ effect, error: messageOf(error) }, "effect outcome not recorded yet");
        await new Promise<void>((resolve) => this.#context.clock.after(RECORD_AGAIN_MS, resolve));
      }
    }
  }

  /** What it wrote on GitHub is found by the try of the one that has the effect now, as after a crash. */
  #lost({ key: effect }: EffectRow): void {
    this.#context.log.warn({ effect }, "effect leased by another meanwhile: this outcome is dropped");
    this.#onSettled();
  }

  /** Settles an effect that the level withheld, with what it would have written. */
  async #withheld(
    row: LeasedEffect,
    agent: AgentRecord | null,
    { level, call, message }: Withheld,
  ): Promise<void> {
    const changes = onWithheld(row.payload, agent, { level, at: this.#context.clock.now() });
    await this.#settle(row, "skipped", { withheld: level, call }, message, changes);
  }

  /**
   * Retries a temporary failure with growing delays. Any other failure, or too many attempts, settles the
   * effect as failed, with what follows from that.
   */
  async #failed(row: LeasedEffect, error: unknown): Promise<void> {
    const { clock, log } = this.#context;
    const now = clock.now();
    const consequence = error instanceof OutsideError ? error.consequence : "retry";
    const { maxAttempts, givesWay } = CATALOG[row.kind];
    const { createdAt } = row;
    const tries = { attempts: row.attempts + 1, maxAttempts, givesWay, createdAt };
    const uncertain = error instanceof OutsideError ? error.uncertain : true;
    const lagsUntil = now + this.#context.secondLookupMs;
    const text = messageOf(error);
    // An agent whose session cannot be opened gives back its slot, and a wake tries again.
    if (row.kind === "open_session" && !isOurs(error) && !isShortWait(error, now)) {
      await this.#giveUp(row, error);
      return;
    }
    if (consequence === "park") {
      const notBefore = (error instanceof OutsideError ? error.retryAt : undefined) ?? now + 60_000;
      tellDeferred(this.#context, error, { effect: row.key, error: text, notBefore });
      await this.#retry(row, { notBefore, error: text, uncertain, lagsUntil, countAttempt: false });
    } else if (mayTryAgain(error, tries, now)) {
      const notBefore = now + backoff(row.attempts, uncertain ? 5_000 : 2_000, 300_000);
      log.warn({ effect: row.key, error: text, attempt: row.attempts + 1, notBefore }, "effect retried");
      await this.#retry(row, { notBefore, error: text, uncertain, lagsUntil, countAttempt: true });
    } else {
      await this.#giveUp(row, error);
    }
  }

  async #retry(row: LeasedEffect, options: Parameters<EffectTable["retry"]>[2]): Promise<void> {
    const retry = () => this.#context.store.effects.retry(row.id, row.lease, options);
    if (await this.#recorded(row, retry)) this.#onSettled();
    else this.#lost(row);
  }

  async #giveUp(row: LeasedEffect, error: unknown): Promise<void> {
    const failure = await this.#recorded(row, () => resultOfFailure(this.#context, row, error));
    const { state, result, changes } = failure;
    await this.#settle(row, state, result, messageOf(error), changes);
  }

  #notifySettled(effectId: number): void {
    this.#tell(effectId);
    this.#onSettled();
  }

  #tell(effectId: number): void {
    const waiting = this.#onceSettled.get(effectId);
    this.#onceSettled.delete(effectId);
    for (const resolve of waiting ?? []) resolve();
  }
}

function execute<K extends EffectKind>(
  executors: Executors,
  kind: K,
  execution: Execution<K>,
): Promise<Outcome> {
  return executors[kind](execution);
}
