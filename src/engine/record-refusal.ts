import type { Refusal } from "../core/machine.ts";
import type { Tables } from "../core/ports/store.ts";

/** What would let a refused move through, by the rule that refused it. */
const CHANGES: Readonly<Record<string, string>> = {
  slot: "it starts by itself when a slot is free",
  held: "`/flotilla resume` lifts a person's hold on the agent, `flotilla resume` that of a scope",
  task: "`/flotilla start` makes a draft ready",
  open_blocker: "it starts when the blocker is closed",
  max_iterations: "`/flotilla continue N` grants more",
};

/** A refusal is a decision. The same one again, with nothing new in between, is not written twice. */
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
  const latest = await tables.decisions.ofIssue(where.repositoryId, where.issue, 20);
  const last = latest.find((decision) => decision.agentId === where.agentId);
  if (last?.rule === refusal.rule && last.reason === refusal.reason) return;
  await tables.decisions.add({
    ...where,
    rule: refusal.rule,
    reason: refusal.reason,
    change: CHANGES[refusal.rule] ?? null,
    inputs: { machine: refusal.machine, state: refusal.state, event: refusal.event, code: refusal.code },
  });
}
