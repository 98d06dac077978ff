import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import type { StepContext } from "./engine-context.ts";

/** One move, then at once what it tells the machines beside it, until no event is left. */
export async function applyMove(turn: StepContext, move: Move): Promise<void> {
  for (const follow of await stepOf(turn, move.machine, move))
    for (const next of await follow()) await applyMove(turn, next);
}

function stepOf<M extends Move["machine"]>(turn: StepContext, machine: M, move: MoveOf<M>) {
  return turn.context.registry.steps[machine](turn, move);
}
