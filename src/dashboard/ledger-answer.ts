import { LEDGER_KEYS } from "../core/ledger/ledger.ts";
import type { Tables } from "../core/ports/store.ts";
import { daysAgo, ledgerJson, ledgerLines } from "./ledger-json.ts";

const DAYS = 30;
const MOST_DAYS = 366;

/** `GET /api/ledger?by=day|issue|role|model|repository|run&days=30`; days are UTC's, today the last of them. */
export async function ledgerAnswer(
  store: Pick<Tables, "ledger" | "repositories">,
  query: URLSearchParams,
  now: number,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const by = LEDGER_KEYS.find((key) => key === (query.get("by") ?? "day"));
  const days = Number(query.get("days") ?? DAYS);
  if (by === undefined || !Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    const hint = `ask with ?by=${LEDGER_KEYS.join("|")} and &days=1 to ${MOST_DAYS}`;
    return { status: 400, body: { error: "invalid_argument", hint } };
  }
  const lines = await ledgerLines(store, by, { from: daysAgo(days, now), to: now });
  return { status: 200, body: { ledger: lines.map(ledgerJson) } };
}
