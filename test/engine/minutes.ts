import { MINUTE } from "../factories/moment.ts";
import type { Rig } from "./rig.ts";

/** Rounds a minute apart: as they are seconds apart in truth, nothing is seen late. */
export async function minutes(rig: Rig, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await rig.work(MINUTE);
    // A probe is answered between two rounds.
    await rig.quiet();
  }
}
