import { expect, it } from "vitest";
import { retell, retoldId, SOMEBODY } from "../../src/core/retold.ts";
import { aRepository } from "../factories/an-occurrence.ts";

it("is a delivery in the lane of its issue, with all that stands around a webhook", () => {
  const retold = {
    name: "event-9",
    event: "issues",
    action: "locked",
    number: 4,
    sender: SOMEBODY,
    fields: { issue: { number: 4 } },
  };
  const { payload, ...row } = retell(aRepository(), retold, 17);
  expect(row).toEqual({
    guid: retoldId("event-9"),
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
