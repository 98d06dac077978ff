import type { Effect } from "../core/effect.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { NewEffect } from "../core/rows.ts";
import { repositoryScope, type Scope, type ScopeHolder, SHUT_HOLDERS } from "../core/scope.ts";
import type { EngineContext } from "./context.ts";
import { agentEffect, issueEffect } from "./effect-rows.ts";
import { questionLooks } from "./questions/poll.ts";

/**
 * Looks once each `reconcile_every` at what agents wait for on GitHub, asleep or before they start, the blockers, the
 * checks and reactions to questions: a webhook is a hint that may never come.
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
    const shut = await shutScopes(store);
    const isOpen = ({ repositoryId }: Pick<AgentRecord, "repositoryId">) =>
      !shut.has(repositoryScope(repositoryId));
    await store.effects.add([
      ...asleep.filter(isOpen).flatMap((agent) => looks(agent, slice, at)),
      ...[...asleep.filter(({ sleepReason }) => sleepReason === "blocked"), ...waiting]
        .filter(isOpen)
        .map(({ id, repositoryId, issue }) => {
          const effect: Effect = { kind: "look_at_blockers", repositoryId, issue };
          return { ...issueEffect({ repositoryId, issue, effect, at }), key: `blockers-poll:${id}:${slice}` };
        }),
      ...(await questionLooks(this.#context, slice, at)).filter(isOpen),
    ]);
  }
}

/** Repositories where GitHub is not asked: what was asked there would only pile up. */
async function shutScopes({ scopePauses }: EngineContext["store"]): Promise<ReadonlySet<Scope>> {
  const holders: readonly ScopeHolder[] = SHUT_HOLDERS;
  const pauses = await scopePauses.list();
  return new Set(pauses.filter(({ holder }) => holders.includes(holder)).map(({ scope }) => scope));
}

function looks(agent: AgentRecord, slice: number, at: number): readonly NewEffect[] {
  if (agent.sleepReason === "checks") {
    const { id: agentId, repositoryId, issue } = agent;
    const effect: Effect = { kind: "look_at_checks", agentId };
    return [{ ...issueEffect({ repositoryId, issue, effect, at }), key: `checks-poll:${agentId}:${slice}` }];
  }
  const here = agent.blockedBy.map((blocker): Effect => ({ kind: "recheck_blocker", blocker }));
  const elsewhere = agent.blockedElsewhere.map(
    ({ repositoryId, number }): Effect => ({ kind: "recheck_blocker", blocker: number, repositoryId }),
  );
  return [...here, ...elsewhere].map((effect, index) =>
    agentEffect(agent, effect, `blocker-poll:${agent.id}:${agent.token}:${index}:${slice}`, at),
  );
}
