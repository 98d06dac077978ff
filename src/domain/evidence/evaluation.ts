import type { Role, Roles } from "../agents/role.ts";
import type { EvidenceRow } from "../kernel/rows.ts";

/** The name of the role that evaluates coders' claims; it has no agents. */
export const EVALUATOR = "evaluator";

/** Those of our tools that an evaluator may have: it reads, and changes nothing. */
export const EVALUATOR_TOOLS = ["read_issue", "read_pr"] as const;

/** What is stored of an evaluation. */
export interface StoredEvaluation {
  /** The confidence that the work does what its issue asks, 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/** Returns the role that evaluates claims of a role; undefined when there is none. An evaluator judges code only. */
export function evaluatorFor(roles: Roles, role: Pick<Role, "evidence">): Role | undefined {
  return role.evidence === "code" ? roles.get(EVALUATOR) : undefined;
}

/**
 * Returns the evaluation that counts for a claim and its commit; undefined while there is none. One that reached the
 * threshold counts for each later claim of the commit; one that did not, for its own claim only. `rows` are the agent's
 * evidence.
 */
export function storedEvaluation(
  rows: readonly EvidenceRow[],
  claim: { readonly intentId: number; readonly commit: string; readonly threshold: number },
): StoredEvaluation | undefined {
  return rows
    .flatMap(({ kind, commit, intentId, confidence, output: reason }) =>
      kind === "evaluation" &&
      commit === claim.commit &&
      confidence !== null &&
      (intentId === claim.intentId || confidence >= claim.threshold)
        ? [{ confidence, reason }]
        : [],
    )
    .at(-1);
}
