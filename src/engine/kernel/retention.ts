import type { Effect } from "../../domain/kernel/effect.ts";
import type { RetentionWalk } from "../../domain/ports/audit-tables.ts";
import { agentEffect } from "./effect-rows.ts";
import type { EngineContext } from "./engine-context.ts";
import { nextTurn } from "./next-event-loop-turn.ts";

type Given = Pick<EngineContext, "store" | "clock" | "settings" | "log">;

const HOUR_MS = 60 * 60_000;
/** Bodies deleted by one statement: few enough to block nobody, and more per hour than GitHub ever sends. */
const ROWS_AT_ONCE = 200;
/** Rows that one round checks for the end of their retention. */
const SLICE = 200;

/**
 * Deletes what ended work leaves behind, a little in each round, as the section `retention` says: archives,
 * webhook bodies and rows whose time is over, and worktrees whose removal failed or that were still being
 * created when their agent ended.
 */
export class Retention {
  /** The hour of the last check for worktrees. */
  #hour = Number.NEGATIVE_INFINITY;
  /** Unfinished walks over tables, each with the row that it has reached. */
  #left: { readonly walk: RetentionWalk; readonly from: number }[] = [];
  readonly #context: Given;

  constructor(context: Given) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const at = clock.now();
    const hour = Math.floor(at / HOUR_MS);
    // The key has the hour: a failed effect is added again an hour later, one under way or done is not.
    for (const { agentId } of await store.archives.due(at)) await this.#ask(agentId, "forget", hour);
    const before = at - settings.retention.payloadsMs;
    await store.deliveries.dropPayloads(before, ROWS_AT_ONCE);
    await nextTurn();
    await store.replayInputs.drop(before, ROWS_AT_ONCE);
    await nextTurn();
    await store.effects.dropRefreshes(before, ROWS_AT_ONCE);
    await nextTurn();
    await this.#sweep(at);
    await nextTurn();
    if (hour === this.#hour) return;
    this.#hour = hour;
    // All walks start over once each has reached its end: live rows may have ended since.
    if (this.#left.length === 0) this.#left = store.retention.walks.map((walk) => ({ walk, from: 0 }));
    for (const agentId of await store.archives.left()) await this.#ask(agentId, "remove", hour);
  }

  /** Checks one slice of one table. The tables take turns; each walk ends at rows that are still kept. */
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
      log.error({ error, table: walk.table }, "old rows not deleted: another attempt follows in an hour");
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
