import type { DecisionRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { issueEffect } from "./effect-rows.ts";

type NewDecision = Omit<DecisionRow, "id" | "count" | "lastAt">;

/**
 * Keeps a decision. One that is news to the people of the issue rewrites its status comment; the same again does not,
 * and a wish that is offered and refused each second writes nothing.
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

/** It is about an agent, and somebody or something can change it. */
export function concernsAgent({ agentId, change }: Pick<DecisionRow, "agentId" | "change">): boolean {
  return agentId !== null && change !== null;
}
