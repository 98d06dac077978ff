import { DISPLAYS } from "../../src/domain/kernel/effect.ts";
import type { EffectRow } from "../../src/domain/kernel/rows.ts";

/** Returns the effects without the displays that wait until there is more to show. */
export function withoutPutOff(rows: readonly EffectRow[], now: number): readonly EffectRow[] {
  return rows.filter(
    ({ kind, error, notBefore }) => !(DISPLAYS.includes(kind) && error === null && notBefore > now),
  );
}
