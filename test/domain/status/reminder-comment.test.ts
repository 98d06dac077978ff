import { expect, it } from "vitest";
import { reminderComment } from "../../../src/domain/status/reminder-comment.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const first = { login: "oncall", second: false };
const asleep = (sleepReason: "review" | "paused") =>
  anAgent({ state: "SLEEPING", sleepReason, sleepingSince: AT, prNumber: 50 });

it("reminds of an escalation with its reason and what can be done", () => {
  const agent = anAgent({ state: "ESCALATED", sleepingSince: AT, reason: "Two specs differ." });
  expect(reminderComment(agent, null, first)).toBe(
    [
      "@oncall, a reminder: **feat-dev** needs a person since 2025-12-21 22:40 UTC.",
      "",
      "> Two specs differ.",
      "",
      "Answer in a comment, or say `/flotilla resume`, `complete`, `retry` or `cancel`. `/flotilla why` explains more.",
    ].join("\n"),
  );
});

it.each(["replanning", "review_deadlock"])("offers no completion of work that waits after %s", (category) => {
  const agent = anAgent({ state: "ESCALATED", category });
  expect(reminderComment(agent, null, first)).toContain(
    "Say here what to do differently, or say `/flotilla resume`, `retry` or `cancel`.",
  );
});

it("asks a second person by name, nobody where nobody is named", () => {
  expect(reminderComment(asleep("review"), null, { login: "@second", second: true })).toBe(
    [
      "@second, nobody has answered **feat-dev** yet: it waits for a review of #50 since 2025-12-21 22:40 UTC. Can you?",
      "",
      "Review the pull request, or say `/flotilla cancel`. `/flotilla why` explains more.",
    ].join("\n"),
  );
  const unnamed = reminderComment(asleep("paused"), null, { login: null, second: false });
  expect(unnamed.split("\n")[0]).toBe("a reminder: **feat-dev** is paused since 2025-12-21 22:40 UTC.");
  expect(unnamed).toContain("`/flotilla resume`, `approve`");
});

it("says nothing of a time or reason that is not known", () => {
  const agent = anAgent({ state: "ESCALATED", sleepingSince: null, reason: null });
  expect(reminderComment(agent, null, first).split("\n").slice(0, 3)).toEqual([
    "@oncall, a reminder: **feat-dev** needs a person.",
    "",
    "Answer in a comment, or say `/flotilla resume`, `complete`, `retry` or `cancel`. `/flotilla why` explains more.",
  ]);
});
