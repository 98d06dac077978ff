import { wordsOf } from "../decisions/rules.ts";
import type { Refusal } from "./state-machine.ts";

/** Returns what would let a refused move through. */
export function wouldChange(refusal: Refusal): string {
  if (refusal.code === "no_such_transition")
    return `nothing while the ${refusal.machine} is ${refusal.state}; ${wordsOf(refusal.rule).next}`;
  return refusal.change ?? wordsOf(refusal.rule).next;
}
