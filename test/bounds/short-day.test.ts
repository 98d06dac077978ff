import { expect, test } from "vitest";
import { liveThrough } from "./live-through.ts";

test("half an hour of webhooks leaves nothing unsettled, no payload beyond its time, no worktree and no open file", {
  timeout: 60_000,
}, async () => {
  const day = await liveThrough({ deliveries: 180, issues: 3, minutes: 30 });
  const nothing = { unsettled: 0, payloads: 0, worktrees: 0, sessions: 0 };
  expect(day).toMatchObject({ taken: 180, completed: 3, ...nothing });
  expect(day.openFiles.after).toBeLessThanOrEqual(day.openFiles.before);
});
