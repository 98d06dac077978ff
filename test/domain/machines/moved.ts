import type { Moved, Refusal } from "../../../src/domain/kernel/state-machine.ts";

/** The move of a step that must not be refused. */
export function moved<S extends string, Snap, Fx, Out>(
  result: Moved<S, Snap, Fx, Out> | Refusal,
): Moved<S, Snap, Fx, Out> {
  if (!result.ok) throw new Error(`${result.event} was refused: ${result.reason}`);
  return result;
}

/** The refusal of a step that must not be taken. */
export function refused(result: { readonly ok: true } | Refusal): Refusal {
  if (result.ok) throw new Error("the step was taken");
  return result;
}
