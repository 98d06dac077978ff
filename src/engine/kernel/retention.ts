import type { Effect } from "../../domain/kernel/effect.ts";
import type { RetentionWalk } from "../../domain/ports/audit-tables.ts";
import { agentEffect } from "./effect-rows.ts";
import type { EngineContext } from "./engine-context.ts";
import { nextTurn } from "./next-event-loop-turn.ts";

type Given = Pick<EngineContext, "store" | "clock" | "settings" | "log">;

const HOUR_MS = 60 * 60_000;
/** In one statement: few enough that nobody waits for it, more in an hour than GitHub ever sends and we ever ask. */
const ROWS_AT_ONCE = 200;
/** Rows that are looked at in a round when those are deleted whose time is over. */
const SLICE = 200;

/**
 * Clears away what agents that have ended left behind: what is kept of them once its time is over, and a worktree whose
 * removal failed, or was still being made when its agent ended. Deletes the bodies of webhooks that were settled long
 * ago, and the rows of work that ended long ago, as the section `retention` says; a little in each round.
 */
export class Retention {
  /** Of the last look for worktrees. */
  #hour = Number.NEGATIVE_INFINITY;
  /** Walks that are not at their end, and the row that each has come to. */
  #left: { readonly walk: RetentionWalk; readonly from: number }[] = [];
  readonly #context: Given;

  constructor(context: Given) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const at = clock.now();
    const hour = Math.floor(at / HOUR_MS);
    // An effect that failed is added again an hour later, one that is under way or was carried out is not.
    for (const { agentId } of await store.archives.due(at)) await this.#ask(agentId, "forget", hour);
    const before = at - settings.retention.payloadsMs;
    await store.deliveries.dropPayloads(before, ROWS_AT_ONCE);
    await nextTurn();
    await store.replayInputs.drop(before, ROWS_AT_ONCE);
    await nextTurn();
    await store.effects.dropLooks(before, ROWS_AT_ONCE);
    await nextTurn();
    await this.#sweep(at);
    await nextTurn();
    if (hour === this.#hour) return;
    this.#hour = hour;
    // When all walks have come to their ends they begin again: what lived then may have ended since.
    if (this.#left.length === 0) this.#left = store.retention.walks.map((walk) => ({ walk, from: 0 }));
    for (const agentId of await store.archives.left()) await this.#ask(agentId, "remove", hour);
  }

  /** One slice of one table: all tables take turns, until each has come to rows that are still kept. */
  async #sweep(at: number): Promise<void> {
    const next = this.#left.shift();
    if (next === undefined) return;
    const { store, settings, log } = this.#context;
    const { walk, from } = next;
    const before = at - settings.retention.keptMs[walk.kind];
    try {
      const { to } = await store.retention.sweep(walk, { from, before, limit: SLICE });
      if (to !== null) this.#left.push({ walk, from: to });
    } catch (error) {
      log.error(
        { error, table: walk.table },
        "old rows could not be deleted; they are tried again in an hour",
      );
    }
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
