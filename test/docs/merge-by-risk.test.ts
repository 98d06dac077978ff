import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { riskOfMerge } from "../../src/domain/merge-queue/risk.ts";
import { someSettings } from "../factories/some-settings.ts";

const page = readFileSync("docs/merge-by-risk.md", "utf8");
const table = page.slice(page.indexOf("<!-- begin paths -->"), page.indexOf("<!-- end paths -->"));
const rows = [...table.matchAll(/^\| (.+) \| `(.+)` \| (\d+) \|$/gm)].map(
  ([, words = "", path = "", points]) => [path, words, Number(points)] as const,
);

it.each(rows)("`%s` is an example of: %s", (path, words, points) => {
  const tested = ["lib/cart.ts", "lib/cart.test.ts"];
  const { score, reasons } = riskOfMerge({
    change: {
      files: [path, ...(path === tested[0] ? tested.slice(1) : [])].map((one) => ({ path: one, lines: 1 })),
      reverted: [],
    },
    filesBefore: [],
    protectedPaths: someSettings().policy.protectedPaths,
    weakensTests: false,
    proved: 1,
    owners: null,
    approvedBy: [],
    failures: 0,
  });
  expect(score).toBe(points);
  expect(reasons.join()).toContain(points === 0 || points === 100 ? "" : words);
});

it("the page names all kinds of paths", () => {
  expect(rows).toHaveLength(9);
});
