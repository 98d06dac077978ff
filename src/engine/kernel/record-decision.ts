import type { DecisionRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { issueEffect } from "./effect-rows.ts";

type NewDecision = Omit<DecisionRow, "id" | "count" | "lastAt">;

/**
 * Stores a decision. `isNews` rewrites the issue's status comment unless the same decision is stored already;
 * so a move that is offered and refused each second writes nothing.
 */
export async function recordDecision(
  tables: Pick<Tables, "decisions" | "effects">,
  decision: NewDecision,
  isNews: boolean,
): Promise<void> {
  const id = await tables.decisions.add(decision);
  const { repositoryId, issue, at } = decision;
  if (id === null || !isNews || repositoryId === null || issue === null) return;
  const effect = { kind: "status_comment" } as const;
  const row = issueEffect({ repositoryId, issue, effect, at });
  await tables.effects.add([{ ...row, key: `decision-${id}:${effect.kind}` }]);
}

/** Returns whether the decision is about an agent and somebody or something can change it. */
export function concernsAgent({ agentId, change }: Pick<DecisionRow, "agentId" | "change">): boolean {
  return agentId !== null && change !== null;
}
