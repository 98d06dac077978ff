import type { EngineContext } from "../context.ts";
import { issueEffect } from "../effect-rows.ts";

/** Looks at the checks of all that sleep for them once each `reconcile_every`: a webhook is a hint that may be missed. */
export class ChecksPoll {
  /** The time is cut into slices; each is looked at once. */
  #last: number | null = null;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const at = clock.now();
    const slice = Math.floor(at / settings.reconcileEveryMs);
    if (slice === this.#last) return;
    this.#last = slice;
    const asleep = await store.records.find("agent", { state: "SLEEPING", sleepReason: "checks" });
    await store.effects.add(
      asleep.map(({ id, repositoryId, issue }) => ({
        ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_checks", agentId: id }, at }),
        key: `checks-poll:${id}:${slice}`,
      })),
    );
  }
}
