import { expect, test } from "vitest";
import { liveThrough } from "./live-through.ts";

test("a busy hour of webhooks leaves nothing unsettled, no payload beyond its time, no worktree and no open file", {
  timeout: 60_000,
}, async () => {
  const day = await liveThrough({ deliveries: 360, issues: 6, minutes: 60 });
  const nothing = { unsettled: 0, payloads: 0, worktrees: 0, sessions: 0 };
  expect(day).toMatchObject({ taken: 360, completed: 6, ...nothing });
  expect(day.openFiles.after).toBeLessThanOrEqual(day.openFiles.before);
});
