import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import type { StepContext } from "./engine-context.ts";

/** Applies one move, then the moves that it causes in other machines, until none is left. */
export async function applyMove(tx: StepContext, move: Move): Promise<void> {
  for (const follow of await stepOf(tx, move.machine, move))
    for (const next of await follow()) await applyMove(tx, next);
}

function stepOf<M extends Move["machine"]>(tx: StepContext, machine: M, move: MoveOf<M>) {
  return tx.context.registry.steps[machine](tx, move);
}
