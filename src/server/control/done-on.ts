import { breathe } from "../../dashboard/api/read-turns.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { LedgerRows } from "../../domain/reporting/postings.ts";

/** Returns what the database holds about these issues of a repository: their agents, and the ledger's sums for them. */
export async function doneOn(
  { records, ledger }: Pick<Tables, "records" | "ledger">,
  repositoryId: number,
  issues: readonly number[],
): Promise<{ readonly agents: readonly AgentRecord[]; readonly rows: LedgerRows }> {
  const slices: LedgerRows[] = [];
  for await (const slice of ledger.slices(0, { repositoryId, issues })) {
    slices.push(slice);
    await breathe();
  }
  const rows: LedgerRows = {
    agents: slices.flatMap(({ agents }) => agents),
    usage: slices.flatMap(({ usage }) => usage),
    awake: slices.flatMap(({ awake }) => awake),
    ended: slices.flatMap(({ ended }) => ended),
    touches: slices.flatMap(({ touches }) => touches),
  };
  return { agents: await records.find("agent", { repositoryId, issue: issues }), rows };
}
