import { repositoryScope } from "../../domain/breakers/scope.ts";
import { shutScopes } from "../breakers/shut-scopes.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Drafts refreshed per round; a longer list takes as many rounds as it needs. */
const AT_ONCE = 50;

/**
 * Refreshes, once per `retries.coder_poll_interval`, the issues whose coder waits for the label `draft` to be
 * removed: a person has just released the work, and a lost webhook must not delay it by a whole
 * `reconcile_every`.
 */
export class DraftsPoll {
  #slice: number | null = null;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const at = clock.now();
    const slice = Math.floor(at / settings.retries.coderPollMs);
    if (slice === this.#slice) return;
    this.#slice = slice;
    const drafts = await store.records.issues("task", { state: ["DRAFT"] });
    if (drafts.length === 0) return;
    const shut = await shutScopes(store);
    const under = await store.effects.find({ kind: "look_at_issue", state: ["pending", "leased"] });
    const from = (slice * AT_ONCE) % drafts.length;
    const refreshes = [...drafts.slice(from), ...drafts.slice(0, from)]
      .slice(0, AT_ONCE)
      .filter(({ repositoryId }) => !shut.has(repositoryScope(repositoryId)))
      .filter((one) => !under.some((row) => row.repositoryId === one.repositoryId && row.issue === one.issue))
      .map(({ repositoryId, issue }) => ({
        ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_issue" }, at }),
        key: `draft-poll:${repositoryId}#${issue}:${slice}`,
      }));
    await store.effects.add(refreshes);
  }
}
