import { expect, test } from "vitest";
import { proved } from "../proved.ts";
import { liveThrough } from "./live-through.ts";

const MB = 1024 * 1024;

test("50,000 webhooks and 500 issues in a day stay within 64 MB of write-ahead log and 50 MB of memory", {
  timeout: 900_000,
}, async () => {
  const day = await liveThrough({ deliveries: 50_000, issues: 500, minutes: 24 * 60 });
  const nothing = { unsettled: 0, payloads: 0, worktrees: 0, sessions: 0 };
  expect(day).toMatchObject({ taken: 50_000, completed: 500, ...nothing });
  expect(day.openFiles.after).toBeLessThanOrEqual(day.openFiles.before);
  expect(day.walPeak).toBeLessThan(64 * MB);
  expect(day.database).toBeLessThan(250 * MB);
  expect(day.rssGrowth).toBeLessThan(50 * MB);
  const mb = (bytes: number) => `${Math.round(bytes / MB)} MB`;
  proved({
    promise: "Disk, memory and handles stay bounded",
    test: "test/bounds/whole-day.test.ts",
    figure: `${day.taken} webhooks, ${day.completed} issues: WAL ${mb(day.walPeak)}, database ${mb(day.database)}, memory +${mb(day.rssGrowth)}, ${day.worktrees} worktrees left`,
  });
});
