import type { EngineContext } from "../context.ts";
import { issueEffect, trainLane } from "../effect-rows.ts";
import { aboard } from "./aboard.ts";

/**
 * Lets the merge trains be looked at: whenever one of their tasks has changed, and where we merge ourselves once each
 * `reconcile_every`. Nothing of a train is kept here; what it waits for is read again at each look.
 */
export class TrainRounds {
  /** The last look that was asked for, by repository; it saves asking for the same again. */
  readonly #asked = new Map<number, string>();
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const first = await this.#context.store.records.firstApproved();
    const ids = new Set(first.map(({ repositoryId }) => repositoryId));
    for (const known of this.#asked.keys()) if (!ids.has(known)) this.#asked.delete(known);
    for (const { repositoryId, issue } of first) await this.#look(repositoryId, issue);
  }

  async #look(repositoryId: number, issue: number): Promise<void> {
    const { store, clock, settings, settingsOf, digest } = this.#context;
    const cars: string[] = [];
    for await (const { id, version } of aboard(store, repositoryId)) cars.push(`${id}v${version}`);
    const at = clock.now();
    const slice = settingsOf(repositoryId).merge.auto ? Math.floor(at / settings.reconcileEveryMs) : "asked";
    const key = `train:${repositoryId}:${digest(cars.join(" ")).slice(0, 16)}:${slice}`;
    if (this.#asked.get(repositoryId) === key) return;
    const lane = trainLane(repositoryId);
    // What is under way changes the train; after it is looked again.
    if ((await store.effects.find({ lane, state: ["pending", "leased"] })).length > 0) return;
    this.#asked.set(repositoryId, key);
    await store.effects.add([
      { ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_train" }, at }), key },
    ]);
  }
}
