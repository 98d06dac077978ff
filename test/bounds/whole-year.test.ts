import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAST_DIRECTORY } from "../factories/fast-directory.ts";
import { proved } from "../proved.ts";
import { daysOf, grownOver, YEAR_GB } from "./grown-year.ts";
import { workThrough } from "./measured-week.ts";

const MB = 1_000_000;
/** Ten thousand issues a year; two months more, in which the first records go, too. */
const [PER_DAY, DAYS] = [27.4, 426];
/** Whose rows stand for all others. */
const ISSUES = 100;

test("fourteen months of 10,000 issues a year stay within the bound that docs/operations.md names", {
  timeout: 7_200_000,
}, async () => {
  const directory = mkdtempSync(join(FAST_DIRECTORY, "flotilla-year-"));
  try {
    const week = join(directory, "week.db");
    const agents = await workThrough(week, { issues: ISSUES, perDay: PER_DAY });
    expect(agents.map(({ state }) => state)).not.toContain("ACTIVE");
    const grown = await grownOver(DAYS, { directory, week, weekMs: daysOf(ISSUES, PER_DAY) });
    const { months, rows, vacuumed } = grown;
    const [fourth, last] = [months[3], months.at(-1)];
    if (fourth === undefined || last === undefined) throw new Error("the year was too short");
    expect(last.file).toBeLessThan(YEAR_GB * 1000 * MB);
    // Only the records of ended issues are added after the fourth month.
    expect(last.file).toBeLessThan(1.2 * fourth.file);
    expect(rows["agent"]).toBeLessThan(1.1 * PER_DAY * 365);
    expect(vacuumed).toBeLessThanOrEqual(last.file);
    const mb = (bytes: number) => `${Math.round(bytes / MB)} MB`;
    proved({
      promise: "The database stays within its bound, however many issues are done",
      test: "test/bounds/whole-year.test.ts",
      figure: `${Math.round(DAYS * PER_DAY)} issues in ${DAYS} days: ${mb(fourth.file)} after four months, ${mb(last.file)} at the end (${mb(vacuumed)} after VACUUM), WAL ${mb(Math.max(...months.map(({ wal }) => wal)))}`,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
