import { LEDGER_KEYS, type LedgerLine } from "../core/ledger/ledger.ts";
import type { Tables } from "../core/ports/store.ts";
import { parseFullName } from "../core/repository.ts";
import { type Answer, NOT_FOUND, ok } from "./answer.ts";
import { daysAgo, ledgerJson } from "./ledger-json.ts";
import { firstLines, type LedgerSums, ledgerSums } from "./ledger-lines.ts";
import { MOST, NO_PAGE, pageOf } from "./paging.ts";
import type { ReadTurns } from "./read-turns.ts";
import type { Rights } from "./viewer.ts";

const DAYS = 30;
const MOST_DAYS = 366;

/**
 * `GET /api/ledger?by=day|issue|role|model|repository|run&days=30`; days are UTC's, today the last of them. With
 * `&repository=owner/name` of this one alone: so it is told to people who may read it; of all only the operator is told.
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
  const by = LEDGER_KEYS.find((key) => key === (query.get("by") ?? "day"));
  const days = Number(query.get("days") ?? DAYS);
  if (by === undefined || !Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    const hint = `ask with ?by=${LEDGER_KEYS.join("|")} and &days=1 to ${MOST_DAYS}`;
    return { status: 400, body: { error: "invalid_argument", hint } };
  }
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

/** The lines are summed up again for each page; a line keeps its key. */
function cursorOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function lineAt(sums: LedgerSums, cursor: string): LedgerLine | undefined {
  const key = Buffer.from(cursor, "base64url").toString();
  return cursorOf(key) === cursor ? sums.get(key) : undefined;
}
