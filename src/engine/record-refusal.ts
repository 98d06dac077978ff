import type { Refusal } from "../core/machine.ts";
import type { Tables } from "../core/ports/store.ts";
import { wouldChange } from "../core/would-change.ts";

/** A refusal is a decision; the same one again, with nothing new in between, is counted and not written twice. */
export async function recordRefusal(
  tables: Tables,
  refusal: Refusal,
  where: {
    readonly at: number;
    readonly agentId: number | null;
    readonly repositoryId: number;
    readonly issue: number;
    readonly delivery: string | null;
  },
): Promise<void> {
  await tables.decisions.add({
    ...where,
    rule: refusal.rule,
    reason: refusal.reason,
    change: wouldChange(refusal),
    inputs: { machine: refusal.machine, state: refusal.state, event: refusal.event, code: refusal.code },
  });
}
