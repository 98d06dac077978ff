import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import type { StepContext } from "./engine-context.ts";

/** One move, then at once what it tells the machines beside it, until no event is left. */
export async function applyMove(tx: StepContext, move: Move): Promise<void> {
  for (const follow of await stepOf(tx, move.machine, move))
    for (const next of await follow()) await applyMove(tx, next);
}

function stepOf<M extends Move["machine"]>(tx: StepContext, machine: M, move: MoveOf<M>) {
  return tx.context.registry.steps[machine](tx, move);
}
