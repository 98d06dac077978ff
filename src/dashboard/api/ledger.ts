import { dayOf, startOfDay } from "../../domain/breakers/day-budget.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { LedgerPart } from "../../domain/ports/audit-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import {
  addLines,
  LEDGER_KEYS,
  type LedgerKey,
  type LedgerLine,
  ledger,
  lineOrder,
} from "../../domain/reporting/ledger.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import type { Rights } from "../auth/viewer.ts";
import { MOST, NO_PAGE, pageOf } from "./paging.ts";
import type { ReadTurns } from "./read-turns.ts";

const DAYS = 30;
export const MOST_DAYS = 366;
export const LEDGER_HINT = `ask with ?by=${LEDGER_KEYS.join("|")} and &days=1 to ${MOST_DAYS}`;

/**
 * Answers `GET /api/ledger?by=day|issue|role|model|repository|run&days=30`. Days are in UTC; the last one is today.
 * With `&repository=owner/name` it covers that repository, for anyone who may read it; without, it covers all and is
 * only for the operator.
 */
export async function ledgerAnswer(
  { store, turns }: { readonly store: Pick<Tables, "ledger" | "repositories">; readonly turns: ReadTurns },
  { viewer, mayRead }: Pick<Rights, "viewer" | "mayRead">,
  query: URLSearchParams,
  now: number,
): Promise<Answer> {
  const named = query.get("repository");
  const name = named === null ? undefined : parseFullName(named);
  const repository = name && (await store.repositories.byName(name.owner, name.name));
  if (
    named === null ? viewer.kind !== "operator" : repository === undefined || !(await mayRead(repository.id))
  )
    return NOT_FOUND;
  const part = repository === undefined ? null : { repositoryId: repository.id, issues: null };
  const by = LEDGER_KEYS.find((key) => key === query.get("by")) ?? "day";
  const days = Number(query.get("days") ?? DAYS);
  const page = pageOf(new URLSearchParams({ limit: query.get("limit") ?? String(MOST) }), 1);
  if (page === null) return NO_PAGE;
  const span = { from: daysAgo(days, now), to: now, part };
  const [sums = new Map()] = await ledgerSums({ store, turns }, [by], span);
  const cursor = query.get("after");
  const after = cursor === null ? null : lineAt(sums, cursor);
  if (after === undefined) return NO_PAGE;
  const lines = await firstLines(turns, by, sums, { after, limit: page.limit + 1 });
  const shown = lines.slice(0, page.limit);
  const more = lines.length > shown.length;
  return ok({ ledger: shown.map(ledgerJson), next: more ? cursorOf(shown.at(-1)?.key ?? "") : null });
}

/** Encodes the key of the last line as a cursor. Each page sums up the lines again; keys stay the same. */
function cursorOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function lineAt(sums: LedgerSums, cursor: string): LedgerLine | undefined {
  const key = Buffer.from(cursor, "base64url").toString();
  return cursorOf(key) === cursor ? sums.get(key) : undefined;
}

/** A line of the ledger for the API and the command line. Sums are exact; dollars have six decimals. */
export interface LedgerJson {
  readonly key: string;
  readonly runs: number;
  readonly tokens_in: number;
  /** Included in `tokens_in`. */
  readonly tokens_cached: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
  /** Time that agents were awake. */
  readonly wall_seconds: number;
  readonly touches: number;
  readonly merged: number;
  /** Tasks that ended: merged or abandoned. */
  readonly finished: number;
  /** Merged work that was reverted on a branch that work goes to. */
  readonly reverted: number;
  /** Share of finished tasks that were merged; null if none is finished. */
  readonly acceptance: number | null;
  /** Null if none is merged. */
  readonly cost_per_merged_usd: number | null;
}

export function ledgerJson(line: LedgerLine): LedgerJson {
  const { key, runs, touches, merged, finished, reverted } = line;
  const costUsd = line.costMicroUsd / 1_000_000;
  return {
    key,
    runs,
    tokens_in: line.tokensIn,
    tokens_cached: line.tokensCached,
    tokens_out: line.tokensOut,
    cost_usd: costUsd,
    wall_seconds: line.wallMs / 1000,
    touches,
    merged,
    finished,
    reverted,
    acceptance: finished === 0 ? null : merged / finished,
    cost_per_merged_usd: merged === 0 ? null : Math.round(line.costMicroUsd / merged) / 1_000_000,
  };
}

/** Returns the start, in UTC, of a period of `days` days that ends with today. */
export function daysAgo(days: number, now: number): number {
  return startOfDay(dayOf(now) - days + 1);
}

/** Lines that are sorted in one turn. */
const SORTED_AT_ONCE = 1000;

/** Unsorted lines by key. */
type LedgerSums = ReadonlyMap<string, LedgerLine>;

/**
 * Sums up the work since `from`, in milliseconds since the epoch, of a part of it or (null) of all. Returns one set of
 * sums for each of `bys`, in their order. Reads the rows once, in many short turns. Must not be called within a turn.
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
        lines.set(line.key, known === undefined ? line : addLines(known, line));
      }
    return true;
  };
  while (await turns.take(addNext));
  return sums.map(({ lines }) => lines);
}

/** Returns the first `limit` lines in order; those after `after` if it is given. */
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
