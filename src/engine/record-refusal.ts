import type { Refusal } from "../core/machine.ts";
import type { Tables } from "../core/ports/store.ts";
import { wouldChange } from "../core/would-change.ts";
import { recordDecision } from "./record-decision.ts";

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
  const { rule, reason, machine, state, event, code } = refusal;
  const change = wouldChange(refusal);
  const decision = { ...where, rule, reason, change, inputs: { machine, state, event, code } };
  // What an agent's machine refuses somebody has asked for, also where no agent came of it.
  await recordDecision(tables, decision, machine === "agent");
}
