import type { LedgerRows } from "./postings.ts";

/** A part of all work: a repository, or some of its issues. */
export interface LedgerPart {
  readonly repositoryId: number;
  /** Null for all issues. */
  readonly issues: readonly number[] | null;
}

/** Of the rows those that are about this part, so that its lines are those of the whole ledger with the rest left out. */
export function partOf(rows: LedgerRows, { repositoryId, issues }: LedgerPart): LedgerRows {
  const isPart = (row: { readonly repositoryId: number; readonly issue: number }): boolean =>
    row.repositoryId === repositoryId && (issues === null || issues.includes(row.issue));
  // Usage and awake periods are counted with their agent, so those of the others fall away by themselves.
  return {
    ...rows,
    agents: rows.agents.filter(isPart),
    ended: rows.ended.filter(isPart),
    touches: rows.touches.filter(isPart),
  };
}
