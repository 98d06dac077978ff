import { LEDGER_KEYS } from "../core/ledger/ledger.ts";
import type { Tables } from "../core/ports/store.ts";
import { parseFullName } from "../core/repository.ts";
import { type Answer, NOT_FOUND, ok } from "./answer.ts";
import { daysAgo, ledgerJson, ledgerLines } from "./ledger-json.ts";
import type { Rights } from "./viewer.ts";

const DAYS = 30;
const MOST_DAYS = 366;

/**
 * `GET /api/ledger?by=day|issue|role|model|repository|run&days=30`; days are UTC's, today the last of them. With
 * `&repository=owner/name` of this one alone: so it is told to people who may read it; of all only the operator is told.
 */
export async function ledgerAnswer(
  store: Pick<Tables, "ledger" | "repositories">,
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
  const lines = await ledgerLines(store, by, { from: daysAgo(days, now), to: now, part });
  return ok({ ledger: lines.map(ledgerJson) });
}
