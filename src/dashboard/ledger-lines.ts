import { addedLines, type LedgerKey, type LedgerLine, ledger, lineOrder } from "../core/ledger/ledger.ts";
import type { LedgerPart } from "../core/ports/ledger.ts";
import type { Tables } from "../core/ports/store.ts";
import { fullName } from "../core/repository.ts";
import type { ReadTurns } from "./read-turns.ts";

/** Lines that are put in order in one turn. */
const SORTED_AT_ONCE = 1000;

/** Lines by their keys, in no order. */
export type LedgerSums = ReadonlyMap<string, LedgerLine>;

/**
 * What the work since `from` came to, both in milliseconds since the epoch; of a part of it, or with null of all. Summed by
 * each of `bys`, in their order, in one reading of many short turns. Must not be called within a turn.
 */
export async function ledgerSums(
  {
    store: { ledger: table, repositories },
    turns,
  }: { readonly store: Pick<Tables, "ledger" | "repositories">; readonly turns: ReadTurns },
  bys: readonly LedgerKey[],
  {
    from,
    to,
    part = null,
  }: { readonly from: number; readonly to: number; readonly part?: LedgerPart | null },
): Promise<readonly LedgerSums[]> {
  const names = new Map((await repositories.all()).map((each) => [each.id, fullName(each)]));
  const sums = bys.map((by) => ({ by, lines: new Map<string, LedgerLine>() }));
  const slices = table.slices(from, part)[Symbol.asyncIterator]();
  const addNext = async (): Promise<boolean> => {
    const { done, value: rows } = await slices.next();
    if (done === true) return false;
    for (const { by, lines } of sums)
      for (const line of ledger(rows, by, { from, to, names })) {
        const known = lines.get(line.key);
        lines.set(line.key, known === undefined ? line : addedLines(known, line));
      }
    return true;
  };
  while (await turns.take(addNext));
  return sums.map(({ lines }) => lines);
}

/** The first `limit` lines in their order, behind `after` where one is given. */
export async function firstLines(
  turns: ReadTurns,
  by: LedgerKey,
  sums: LedgerSums,
  { after, limit }: { readonly after: LedgerLine | null; readonly limit: number },
): Promise<readonly LedgerLine[]> {
  const order = lineOrder(by);
  const lines = sums.values();
  let first: readonly LedgerLine[] = [];
  for (let taken = 0; taken < sums.size; taken += SORTED_AT_ONCE)
    first = await turns.take(async () =>
      [...first, ...lines.take(SORTED_AT_ONCE)]
        .filter((line) => after === null || (line.key !== after.key && order(after, line) < 0))
        .toSorted(order)
        .slice(0, limit),
    );
  return first;
}
