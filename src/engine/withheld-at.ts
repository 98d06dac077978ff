import { LEVELS, type Level } from "../core/level.ts";
import type { EffectRow } from "../core/rows.ts";

/** The level that kept an effect, or the push of a commit, from leaving; null for one that left or was not done. */
export function withheldAt({ result }: Pick<EffectRow, "result">): Level | null {
  const withheld: unknown =
    typeof result === "object" && result !== null ? Reflect.get(result, "withheld") : undefined;
  return LEVELS.find((level) => level === withheld) ?? null;
}
