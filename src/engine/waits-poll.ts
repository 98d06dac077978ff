import type { Effect } from "../core/effect.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { NewEffect } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { agentEffect, issueEffect } from "./effect-rows.ts";

/**
 * Looks once each `reconcile_every` at what agents wait for on GitHub, asleep or before they start, the blockers and the
 * checks: a webhook is a hint that may never come.
 */
export class WaitsPoll {
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
    const asleep = await store.records.find("agent", {
      state: "SLEEPING",
      sleepReason: ["checks", "blocked"],
    });
    const waiting = await store.records.find("agent", { state: "CREATED" });
    await store.effects.add([
      ...asleep.flatMap((agent) => looks(agent, slice, at)),
      ...waiting.map(({ id, repositoryId, issue }) => {
        const effect: Effect = { kind: "look_at_blockers", repositoryId, issue };
        return { ...issueEffect({ repositoryId, issue, effect, at }), key: `blockers-poll:${id}:${slice}` };
      }),
    ]);
  }
}

function looks(agent: AgentRecord, slice: number, at: number): readonly NewEffect[] {
  if (agent.sleepReason === "checks") {
    const { id: agentId, repositoryId, issue } = agent;
    const effect: Effect = { kind: "look_at_checks", agentId };
    return [{ ...issueEffect({ repositoryId, issue, effect, at }), key: `checks-poll:${agentId}:${slice}` }];
  }
  return agent.blockedBy.map((blocker) =>
    agentEffect(
      agent,
      { kind: "recheck_blocker", blocker },
      `blocker-poll:${agent.id}:${blocker}:${slice}`,
      at,
    ),
  );
}
