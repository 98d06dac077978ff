import { expect, test } from "vitest";
import { liveThrough } from "./live-through.ts";

test("two busy hours of webhooks leave nothing unsettled, no payload beyond its time, no worktree and no open file", {
  timeout: 60_000,
}, async () => {
  const day = await liveThrough({ deliveries: 1200, issues: 12, minutes: 120 });
  const nothing = { unsettled: 0, payloads: 0, worktrees: 0, sessions: 0 };
  expect(day).toMatchObject({ taken: 1200, completed: 12, ...nothing });
  expect(day.openFiles.after).toBeLessThanOrEqual(day.openFiles.before);
});
