import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  addLines,
  LEDGER_KEYS,
  type LedgerLine,
  ledger,
  lineOrder,
} from "../../../src/domain/reporting/ledger.ts";
import type { LedgerRows } from "../../../src/domain/reporting/postings.ts";
import { someRows } from "../ledger/some-rows.ts";

const span = { from: 0, to: 5 * 86_400_000, names: new Map([[7, "acme/app"]]) };

/** The same rows, where a task's coder is an agent of its own issue. */
const wellFormed = someRows.map((rows): LedgerRows => {
  const issueOf = new Map(rows.agents.map(({ id, issue }) => [id, issue]));
  const isOwn = ({ coderId, issue }: LedgerRows["ended"][number]) =>
    coderId === null || issueOf.get(coderId) === issue;
  return { ...rows, ended: rows.ended.filter(isOwn) };
});

/** The rows of the issues for which `keeps` holds. */
function rowsOf(rows: LedgerRows, keeps: (issue: number) => boolean): LedgerRows {
  const isKept = ({ issue }: { readonly issue: number }) => keeps(issue);
  return {
    ...rows,
    agents: rows.agents.filter(isKept),
    ended: rows.ended.filter(isKept),
    touches: rows.touches.filter(isKept),
  };
}

const aLine = (key: string, costMicroUsd: number): LedgerLine => ({
  key,
  runs: 0,
  tokensIn: 0,
  tokensCached: 0,
  tokensOut: 0,
  costMicroUsd,
  wallMs: 0,
  touches: 0,
  merged: 0,
  finished: 0,
  reverted: 0,
});

it("has the same lines in the same order when some issues are summed up first and the others added", () => {
  fc.assert(
    fc.property(wellFormed, fc.subarray([1, 2, 3]), fc.constantFrom(...LEDGER_KEYS), (rows, first, by) => {
      const sums = new Map<string, LedgerLine>();
      for (const part of [true, false])
        for (const line of ledger(
          rowsOf(rows, (issue) => first.includes(issue) === part),
          by,
          span,
        )) {
          const known = sums.get(line.key);
          sums.set(line.key, known === undefined ? line : addLines(known, line));
        }
      expect([...sums.values()].toSorted(lineOrder(by))).toEqual(ledger(rows, by, span));
    }),
  );
});

it("puts days in order of time, and all else in order of cost, then of name", () => {
  const lines = [aLine("c", 1), aLine("b", 2), aLine("a", 1)];
  const keys = (by: "day" | "role") => lines.toSorted(lineOrder(by)).map(({ key }) => key);
  expect(keys("day")).toEqual(["a", "b", "c"]);
  expect(keys("role")).toEqual(["b", "a", "c"]);
});
