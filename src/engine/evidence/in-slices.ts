import type { Sliced } from "../../domain/evidence/sliced.ts";
import { nextTurn } from "../kernel/next-event-loop-turn.ts";

/** What may be done before others get their turn, in the units of `Sliced`. */
const MOST_AT_ONCE = 64 * 1024;

/** Does the work with turns of the event loop in between, so that it holds up nobody. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  let done = 0;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    done += step.value;
    if (done < MOST_AT_ONCE) continue;
    done = 0;
    await nextTurn();
  }
}
