import { expect, it } from "vitest";
import {
  backfilledId,
  lostComments,
  newBackfilledDelivery,
  rawGone,
  SOMEBODY,
} from "../../../src/domain/backfill/backfilled-delivery.ts";
import { aDomainEvent, aRepository } from "../../factories/an-occurrence.ts";

it("is a delivery in the lane of its issue, with all that stands around a webhook", () => {
  const retold = {
    name: "event-9",
    event: "issues",
    action: "locked",
    number: 4,
    sender: SOMEBODY,
    fields: { issue: { number: 4 } },
  };
  const { payload, ...row } = newBackfilledDelivery(aRepository(), retold, 17);
  expect(row).toEqual({
    guid: backfilledId("event-9"),
    event: "issues",
    action: "locked",
    installationId: 5,
    repositoryId: 7,
    lane: "7#4",
    receivedAt: 17,
  });
  expect(row.guid).toBe("seen-event-9");
  expect(JSON.parse(payload)).toMatchObject({
    action: "locked",
    sender: { login: "ghost" },
    installation: { id: 5 },
    repository: { id: 7, full_name: "acme/shop", owner: { login: "acme" }, default_branch: "main" },
    issue: { number: 4 },
  });
});

it("an issue that cannot be read any more is closed and has only its number", () => {
  expect(rawGone(4)).toEqual({
    number: 4,
    title: "#4",
    body: null,
    state: "closed",
    user: null,
    html_url: "",
  });
});

const comment = (id: number, day: string, type: "User" | "Bot" = "User") => ({
  id,
  body: "Continue.",
  author: { id: 1, login: "alice", type },
  createdAt: `2026-01-${day}T00:00:00Z`,
  url: `https://github.test/c/${id}`,
});

it("comments of the lost time are told again, but for a bot's and those before or after it", () => {
  const issue = { ...aDomainEvent("issue_opened").issue, id: 1, isPullRequest: false };
  const lost = { since: Date.parse("2026-01-01"), until: Date.parse("2026-01-02") };
  const all = [comment(1, "01"), comment(2, "01", "Bot"), comment(3, "02"), comment(4, "03")];
  const told = lostComments(
    issue,
    [{ ...comment(0, "01"), createdAt: "2025-12-31T23:59:59Z" }, ...all],
    lost,
  );
  expect(told.map(({ name }) => name)).toEqual(["comment-1", "comment-3"]);
  expect(told[0]).toMatchObject({
    event: "issue_comment",
    action: "created",
    number: issue.number,
    sender: { login: "alice" },
    fields: { comment: { id: 1, body: "Continue.", html_url: "https://github.test/c/1" } },
  });
});
