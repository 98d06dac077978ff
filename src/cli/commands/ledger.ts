import { daysAgo, type LedgerJson, ledgerJson, ledgerSums } from "../../dashboard/api/ledger.ts";
import { ReadTurns } from "../../dashboard/api/read-turns.ts";
import { dollars } from "../../domain/breakers/money.ts";
import { csvLine } from "../../domain/messages/format.ts";
import {
  LEDGER_KEYS,
  type LedgerKey,
  type LedgerLine,
  ledgerTotal,
  lineOrder,
} from "../../domain/reporting/ledger.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command, CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { refused } from "../refused.ts";

const USAGE = "flotilla ledger [--by day] [--since 2026-03-01] [--csv]";
const DAYS = 30;

export const ledger: Command = {
  name: "ledger",
  summary:
    "show what the work cost: tokens, dollars, time awake, people's interventions, and what was merged",
  usage: USAGE,
  details: [
    "Reads the database and works while Flotilla is stopped. docs/costs.md explains what is counted, and how.",
    "The days of --since are days in UTC.",
  ],
  options: {
    by: { type: "string", says: "what to group by; the default is day", values: LEDGER_KEYS },
    since: {
      type: "string",
      says: "a date, or a number of days including today; the default is 30d",
      value: "day",
    },
    csv: { type: "boolean", says: "print CSV with a header line, for a spreadsheet" },
  },
  examples: ["flotilla ledger --by role --since 7d", "flotilla ledger --by issue --csv > costs.csv"],
  async run(context) {
    const { args, options, print } = context;
    const to = systemClock.now();
    const by = LEDGER_KEYS.find((key) => key === (options["by"] ?? "day"));
    const from = typedSince(options["since"] ?? `${DAYS}d`, to);
    if (by === undefined || from === null || args.length > 0 || (options["csv"] && options["json"])) {
      return refused(context, `Run \`${USAGE}\`; --by takes ${LEDGER_KEYS.join(", ")}, --since a day or 7d.`);
    }
    const [sums = new Map(), runs = new Map()] = await reading(context, (store) =>
      ledgerSums({ store, turns: new ReadTurns() }, [by, "run"], { from, to }),
    );
    const lines = [...sums.values()].toSorted(lineOrder(by));
    if (options["json"] === true) print(JSON.stringify({ ledger: lines.map(ledgerJson) }));
    else if (options["csv"] === true) for (const line of csv(by, lines)) print(line);
    else table(context, { by, lines, runs: ledgerTotal([...runs.values()]).runs, from });
    return 0;
  },
};

/** Returns midnight UTC of a day, or of the first of the given number of days; null for anything else. */
function typedSince(typed: string | boolean, now: number): number | null {
  const text = String(typed);
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return Number(days) === 0 ? null : daysAgo(Number(days), now);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(day) ? null : day;
}

const COLUMNS = [
  "runs",
  "tokens_in",
  "tokens_cached",
  "tokens_out",
  "cost_usd",
  "wall_seconds",
  "touches",
  "merged",
  "finished",
  "reverted",
  "acceptance",
  "cost_per_merged_usd",
] as const satisfies readonly (keyof LedgerJson)[];

function csv(by: LedgerKey, lines: readonly LedgerLine[]): readonly string[] {
  const rows = lines.map(ledgerJson).map((line) => csvLine([line.key, ...COLUMNS.map((name) => line[name])]));
  return [csvLine([by, ...COLUMNS]), ...rows];
}

function table(
  context: CommandContext,
  { by, lines, runs, from }: { by: LedgerKey; lines: readonly LedgerLine[]; runs: number; from: number },
): void {
  if (lines.length === 0) {
    context.print(`Nothing was done since ${new Date(from).toISOString().slice(0, 10)}.`);
    return;
  }
  const heading = [by, "runs", "in", "cached", "out", "cost", "awake", "touches", "merged"];
  const cells = [heading, ...[...lines, { ...ledgerTotal(lines), runs }].map(rowOf)];
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => String(row[column]).length)));
  for (const row of cells)
    context.print(
      row
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join("  "),
    );
  for (const line of outcome(ledgerTotal(lines))) context.print(line);
}

function rowOf(line: LedgerLine): readonly string[] {
  const { key, runs, tokensIn, tokensCached, tokensOut, touches, merged } = line;
  const numbers = [tokensIn, tokensCached, tokensOut].map(String);
  return [
    key,
    String(runs),
    ...numbers,
    dollars(line.costMicroUsd),
    awake(line.wallMs),
    String(touches),
    String(merged),
  ];
}

/** Formats a time awake, such as `3 h 05 min` or `42 s`. */
function awake(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.round(ms / 1000)} s`;
  return minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

function outcome(total: LedgerLine): readonly string[] {
  const { merged, finished, reverted } = total;
  if (finished === 0) return [];
  const cost = merged === 0 ? "" : `, ${dollars(total.costMicroUsd / merged)} for each merged one`;
  const back = reverted === 0 ? "" : `, ${reverted} reverted`;
  return ["", `${merged} of ${finished} finished issues merged${cost}${back}`];
}
