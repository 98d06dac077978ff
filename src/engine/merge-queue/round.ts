import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect, mergeQueueLane } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { queuedTasks } from "./queued-tasks.ts";

/**
 * Requests a refresh of each merge queue whenever one of its tasks has changed or a hold on one has begun or
 * ended, and, where Flotilla merges, once per `reconcile_every`. Stores nothing about a queue: each refresh
 * reads it again.
 */
export class MergeQueueRounds {
  /** The last requested refresh by repository, so that the same one is not requested twice. */
  readonly #asked = new Map<number, string>();
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const first = await this.#context.store.records.firstApproved();
    const ids = new Set(first.map(({ repositoryId }) => repositoryId));
    for (const known of this.#asked.keys()) if (!ids.has(known)) this.#asked.delete(known);
    for (const { repositoryId, issue } of first) await this.#addRefresh(repositoryId, issue);
  }

  async #addRefresh(repositoryId: number, issue: number): Promise<void> {
    const { store, clock, settings, settingsOf, digest } = this.#context;
    const entries: TaskRecord[] = [];
    for await (const task of queuedTasks(store, repositoryId)) entries.push(task);
    const queue = [
      ...entries.map(({ id, version }) => `${id}v${version}`),
      ...(await heldNow(store, entries)),
    ];
    const at = clock.now();
    const slice = settingsOf(repositoryId).merge.auto ? Math.floor(at / settings.reconcileEveryMs) : "asked";
    const state = `${digest(queue.join(" ")).slice(0, 16)}:${slice}`;
    if (this.#asked.get(repositoryId) === state) return;
    const lane = mergeQueueLane(repositoryId);
    // An effect under way changes the queue; the refresh is requested after it.
    if ((await store.effects.find({ lane, state: ["pending", "leased"] })).length > 0) return;
    this.#asked.set(repositoryId, state);
    // The queue may return to an earlier state: `at` makes that a refresh of its own.
    const key = `train:${repositoryId}:${state}:${at}`;
    await store.effects.add([
      { ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_train" }, at }), key },
    ]);
  }
}

/**
 * Returns keys that change whenever a hold on one of these tasks begins or ends; the refresh reads the holds
 * themselves.
 */
async function heldNow(store: Tables, entries: readonly TaskRecord[]): Promise<readonly string[]> {
  const [first] = entries;
  if (first === undefined) return [];
  const { repositoryId } = first;
  const pauses = await store.scopePauses.over(repositoryId);
  const agents = await readable(store, "agent", { repositoryId, issue: entries.map(({ issue }) => issue) });
  const ids = new Set(entries.flatMap(({ sprintId }) => (sprintId === null ? [] : [sprintId])));
  const sprints = ids.size === 0 ? [] : await store.records.find("sprint", { id: [...ids] });
  return [
    ...pauses.map(({ id }) => `pause ${id}`),
    ...agents
      .filter(({ heldBy }) => heldBy.length > 0)
      .map(({ id, heldBy }) => `agent ${id} ${heldBy.join()}`),
    ...sprints.map(({ id, state }) => `sprint ${id} ${state}`),
  ];
}
