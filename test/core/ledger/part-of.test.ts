import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ledger } from "../../../src/core/ledger/ledger.ts";
import { partOf } from "../../../src/core/ledger/part-of.ts";
import { someRows } from "./some-rows.ts";

const span = {
  from: 0,
  to: 5 * 86_400_000,
  names: new Map([
    [7, "acme/app"],
    [8, "acme/lib"],
  ]),
};

const keysOf = (issues: readonly number[]) => issues.map((issue) => `acme/app#${issue}`);

it("has of a repository, and of some of its issues, the lines that the whole ledger has of them", () => {
  fc.assert(
    fc.property(someRows, fc.subarray([1, 2, 3]), (rows, issues) => {
      const whole = ledger(rows, "issue", span);
      for (const [part, keys] of [
        [{ repositoryId: 7, issues: null }, keysOf([1, 2, 3])],
        [{ repositoryId: 7, issues }, keysOf(issues)],
      ] as const)
        expect(ledger(partOf(rows, part), "issue", span)).toEqual(
          whole.filter(({ key }) => keys.includes(key)),
        );
    }),
  );
});
