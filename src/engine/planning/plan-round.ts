import { repositoryScope, type Scope } from "../../domain/breakers/scope.ts";
import { type Move, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import { moment } from "../../domain/messages/format.ts";
import type { SprintRecord } from "../../domain/planning/sprint.ts";
import { advance } from "../kernel/advance.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { issueOfSprint } from "./plan-notifications.ts";

/** Moves sprints past their due date to a checkpoint, and refreshes goals once per `reconcile_every`. */
export class PlanRound {
  #slice: number | null = null;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    const { store, clock, settings } = this.#context;
    const at = clock.now();
    const due = await store.records.find("sprint", { state: "IN_PROGRESS", dueAt: { below: at + 1 } });
    for (const sprint of due)
      if (sprint.dueAt !== null && sprint.dueAt !== sprint.answeredDueAt)
        await checkpoint(this.#context, sprint, "due", `its due date passed, ${moment(sprint.dueAt)}`);
    const slice = Math.floor(at / settings.reconcileEveryMs);
    if (slice === this.#slice) return;
    this.#slice = slice;
    const goals = await store.records.find("goal", { state: "IN_PROGRESS" });
    await store.effects.add(
      goals.map(({ id, repositoryId, issue }) => ({
        ...issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at }),
        key: `goal-poll:${id}:${slice}`,
      })),
    );
  }
}

/**
 * Moves the sprints of an incident's scope to a checkpoint when it opens; a person decides whether they
 * continue after it.
 */
export async function checkpointSprints(context: EngineContext, scope: Scope, why: string): Promise<void> {
  const sprints = await context.store.records.find("sprint", { state: "IN_PROGRESS" });
  for (const sprint of sprints)
    if (scope === "all" || scope === repositoryScope(sprint.repositoryId))
      await checkpoint(context, sprint, "incident", why);
}

async function checkpoint(
  context: EngineContext,
  sprint: SprintRecord,
  cause: "due" | "incident",
  why: string,
): Promise<void> {
  const at = context.clock.now();
  const move: Move = {
    machine: "sprint",
    id: sprint.id,
    event: { type: "CHECKPOINT", at, actor: "flotilla", cause, why },
  };
  try {
    await advance(context, {
      at,
      repositoryId: sprint.repositoryId,
      issue: (await issueOfSprint(context.store, sprint)) ?? 0,
      delivery: null,
      name: null,
      changes: { ...NO_CHANGES, moves: [move] },
    });
  } catch (error) {
    // A concurrent change moved it or one of its agents; the next round tries again.
    if (!(error instanceof StaleSnapshot)) throw error;
  }
}
