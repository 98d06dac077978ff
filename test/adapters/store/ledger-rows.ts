import type { LedgerPart } from "../../../src/domain/ports/audit-tables.ts";
import type { Tables } from "../../../src/domain/ports/store.ts";
import type { LedgerRows } from "../../../src/domain/reporting/postings.ts";

/** All slices of the ledger as one. */
export async function ledgerRows(
  { ledger }: Pick<Tables, "ledger">,
  since: number,
  part: LedgerPart | null = null,
): Promise<LedgerRows> {
  const slices = await Array.fromAsync(ledger.slices(since, part));
  return {
    agents: slices.flatMap(({ agents }) => agents),
    usage: slices.flatMap(({ usage }) => usage),
    awake: slices.flatMap(({ awake }) => awake),
    ended: slices.flatMap(({ ended }) => ended),
    touches: slices.flatMap(({ touches }) => touches),
  };
}
