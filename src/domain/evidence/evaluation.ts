import type { Role, Roles } from "../agents/role.ts";
import type { EvidenceRow } from "../kernel/rows.ts";

/** A role of this name is no agent's: it is asked what it thinks of a coder's claim. */
export const EVALUATOR = "evaluator";

/** Tools of ours that an evaluator may have: it reads, and changes nothing. */
export const EVALUATOR_TOOLS = ["read_issue", "read_pr"] as const;

/** What is kept of an evaluation. */
export interface StoredEvaluation {
  /** That the work does what its issue asks, 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/** Who is asked about claims of the role; undefined when nobody is. Only code is shown to an evaluator. */
export function evaluatorFor(roles: Roles, role: Pick<Role, "evidence">): Role | undefined {
  return role.evidence === "code" ? roles.get(EVALUATOR) : undefined;
}

/**
 * The evaluation that counts for a claim and its commit, undefined while there is none. One that reached the threshold
 * counts for each later claim of the commit; one that did not, for its own claim only. `rows` are the agent's evidence.
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
