import { z } from "zod";
import type { DecisionRow, EffectRow } from "../kernel/rows.ts";

/** A step that was tried without success, with what people read about it. */
export interface Refusal {
  readonly step: "merge" | "update";
  readonly why: string;
  readonly change: string;
}

/** The result of a try that GitHub or git refused. */
export interface Refused {
  readonly kind: "refused";
  readonly why: string;
}

const refused = z.object({ kind: z.literal("refused"), why: z.string() });

const AGAIN = "fix what it names, or merge it by hand; Flotilla tries again automatically";

/**
 * Returns why the step of this try is not repeated for now; null where it may be. `failure` = the decision about a
 * failed try.
 */
export function refusalOf(
  { payload, state, result, error }: Pick<EffectRow, "payload" | "state" | "result" | "error">,
  failure: Pick<DecisionRow, "reason" | "change"> | undefined,
): Refusal | null {
  const step = payload.kind === "merge_pull" ? "merge" : "update";
  if (state === "failed")
    return { step, why: failure?.reason ?? error ?? "the last try failed", change: failure?.change ?? AGAIN };
  const read = refused.safeParse(result);
  return read.success ? { step, why: read.data.why, change: AGAIN } : null;
}
