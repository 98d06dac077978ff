import type { Effect } from "../core/effect.ts";
import type { EngineContext } from "./context.ts";
import { agentEffect } from "./effect-rows.ts";

const HOUR_MS = 60 * 60_000;
/** In one statement: few enough that nobody waits for it, more in an hour than GitHub ever sends and we ever ask. */
const ROWS_AT_ONCE = 200;

/**
 * Clears away what agents that have ended left behind: what is kept of them once its time is over, and a worktree whose
 * removal failed, or was still being made when its agent ended. And the bodies of
 * webhooks that were settled long ago, and looks that were done as long ago.
 */
export class Retention {
  /** Of the last look for worktrees. */
  #hour = Number.NEGATIVE_INFINITY;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const at = clock.now();
    const hour = Math.floor(at / HOUR_MS);
    // An effect that failed is added anew an hour later, one that is under way or was carried out is not.
    for (const { agentId } of await store.archives.due(at)) await this.#ask(agentId, "forget", hour);
    await store.deliveries.dropPayloads(at - settings.retention.payloadsMs, ROWS_AT_ONCE);
    await store.grounds.drop(at - settings.retention.payloadsMs, ROWS_AT_ONCE);
    await store.effects.dropLooks(at - settings.retention.payloadsMs, ROWS_AT_ONCE);
    if (hour === this.#hour) return;
    this.#hour = hour;
    for (const agentId of await store.archives.left()) await this.#ask(agentId, "remove", hour);
  }

  async #ask(agentId: number, what: "forget" | "remove", hour: number): Promise<void> {
    const { store, clock } = this.#context;
    const agent = await store.records.get("agent", agentId);
    if (agent === undefined) return;
    const [earlier] = await store.effects.find({ agentId, kind: "remove_worktree" });
    const removal: Effect = earlier?.payload ?? { kind: "remove_worktree", quiet: false };
    const effect: Effect = what === "forget" ? { kind: "forget_work" } : removal;
    await store.effects.add([agentEffect(agent, effect, `${what}:${agentId}:${hour}`, clock.now())]);
  }
}
