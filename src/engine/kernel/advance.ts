import { notTaken } from "../../domain/commands/command-answer.ts";
import type { Move } from "../../domain/kernel/change-set.ts";
import { LostClaim } from "../../domain/kernel/errors.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import { byName, wrappedTables } from "../../domain/kernel/wrapped-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { applyMove } from "./apply-move.ts";
import { issueEffect } from "./effect-rows.ts";
import type { ApplyMove, EngineContext, StepContext } from "./engine-context.ts";
import { isHolder } from "./is-holder.ts";
import { concernsAgent, recordDecision } from "./record-decision.ts";
import type { TransitionRequest } from "./transition-request.ts";

export interface Advanced {
  /** Every move taken, including emitted ones, in order. */
  readonly moved: readonly {
    readonly machine: string;
    readonly event: string;
    readonly id: number;
    readonly to: string;
    readonly version: number;
  }[];
  readonly refused: readonly Refusal[];
  /** True when the period of the request's holder is over and nothing was done. */
  readonly fenced: boolean;
}

/**
 * Applies a transition request; the only code that writes state. Steps every machine that the request
 * concerns until no event is left, and saves all rows, with those of the subscribers, in one transaction. A
 * stale snapshot rolls everything back.
 */
export async function advance(context: EngineContext, request: TransitionRequest): Promise<Advanced> {
  const { subscribers } = context.registry;
  const advanced = await context.store.transaction(async (all) => {
    const tables = inNameOf(all, request.delivery);
    const { holder } = request;
    if (holder !== undefined && !(await isHolder(tables, { id: holder.agentId, token: holder.token })))
      return { moved: [], refused: [], fenced: true };
    await request.also?.(tables);
    const tx: StepContext = { context, tables, request, moved: [], refused: [] };
    const apply: ApplyMove = (move: Move) => applyMove(tx, move);
    for (const subscriber of subscribers.beforeMoves) await subscriber(tx, apply);
    for (const move of request.changes.moves) {
      await apply(move);
      for (const subscriber of subscribers.afterMove) await subscriber(tx, apply, move);
    }
    for (const subscriber of subscribers.afterMoves) await subscriber(tx, apply);
    await request.afterwards?.(tables, tx.refused);
    const [refusal] = tx.moved.length === 0 ? tx.refused : [];
    await saveRows(
      context,
      tables,
      refusal === undefined
        ? request
        : { ...request, changes: notTaken(request.changes, refusal, request.at) },
    );
    if (request.delivery !== null) {
      await settleDelivery(tables, { ...request, delivery: request.delivery });
      await tables.replayInputs.end(request.delivery);
    }
    return { moved: tx.moved, refused: tx.refused, fenced: false };
  });
  context.crashPoint("fact:decided");
  if (advanced.fenced) return advanced;
  for (const subscriber of subscribers.afterCommit) await subscriber(context, request);
  const { wakes, effects, answers } = request.changes;
  // A refusal alone must not wake the tick: it would offer the same move again at once, without end.
  if (advanced.moved.length + wakes.length + effects.length + answers.length > 0) context.changed();
  return advanced;
}

/** Returns tables that mark each effect and wake that is added as caused by the delivery. */
function inNameOf(tables: Tables, delivery: string | null): Tables {
  if (delivery === null) return tables;
  return wrappedTables(
    tables,
    byName({
      effects: (effects) => ({ ...effects, add: (rows) => effects.add(rows, delivery) }),
      wakes: (wakes) => ({ ...wakes, add: (wake) => wakes.add(wake, delivery) }),
    }),
  );
}

/** Marks a claimed delivery as done. Throws `LostClaim`, which rolls its transaction back. */
export async function settleDelivery(
  { deliveries }: Pick<Tables, "deliveries">,
  { delivery, claim, at }: { readonly delivery: string; readonly claim?: string | undefined; at: number },
): Promise<void> {
  if (claim === undefined) return;
  if (!(await deliveries.settle(delivery, claim, "done", null, at)))
    throw new LostClaim(`delivery ${delivery}`);
}

/** Saves the rows of the change set: decisions and effects here, those of each subject by its subscriber. */
async function saveRows(context: EngineContext, tables: Tables, request: TransitionRequest): Promise<void> {
  const { at, repositoryId, issue, delivery, changes } = request;
  const told = changes.effects.some(({ kind }) => kind === "status_comment");
  for (const decision of changes.decisions) {
    const row = { ...decision, at, repositoryId, issue, delivery };
    await recordDecision(tables, row, !told && concernsAgent(row));
  }
  for (const subscriber of context.registry.subscribers.saveRows) await subscriber(context, tables, request);
  if (changes.effects.length === 0) return;
  const name = delivery ?? request.name;
  if (name === null) throw new Error("a request with effects needs `name` or `delivery`");
  await tables.effects.add(
    changes.effects.map((effect, index) => ({
      ...issueEffect({ repositoryId, issue, effect, at }),
      key: `${name}:${repositoryId}#${issue}:${index}:${effect.kind}`,
    })),
  );
}
