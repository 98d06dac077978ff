import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAST_DIRECTORY } from "../factories/fast-directory.ts";
import { grownOver, YEAR_GB } from "./grown-year.ts";
import { workThrough } from "./measured-week.ts";
import { sweptRounds } from "./slices.ts";

const DAY_MS = 86_400_000;

test("five months of work that the engine did stop growing after four: only records are added", {
  timeout: 300_000,
}, async () => {
  const directory = mkdtempSync(join(FAST_DIRECTORY, "flotilla-months-"));
  try {
    const week = join(directory, "week.db");
    await workThrough(week, { issues: 5, perDay: 27.4 });
    const { months, rows } = await grownOver(150, { directory, week, weekMs: 5 * DAY_MS });
    const [fourth, fifth] = [months[3]?.used ?? 0, months[4]?.used ?? 0];
    expect({ fourth, fifth }).toMatchObject({
      fifth: expect.toSatisfy((used: number) => used < 1.05 * fourth),
    });
    // Thirty copies of five issues came, and only what is younger than its time is left of their details.
    expect(rows["agent"]).toBe(5 * 30);
    expect(rows["run_event"]).toBeLessThan(8_000);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("docs/operations.md names the bound that the year is measured by", () => {
  expect(readFileSync("docs/operations.md", "utf8")).toContain(
    `**Plan ${YEAR_GB} GB for 10,000 issues a year.**`,
  );
});

test("a round changes few rows at once, and turns the event loop between its transactions", async () => {
  const rounds = await sweptRounds(5_000);
  expect(Math.max(...rounds.map(({ rows }) => rows))).toBeLessThanOrEqual(400);
});
