import { expect, it } from "vitest";
import { type BlockersRow, isBlockedBy, issueKey, issueText, openBlockers } from "../../src/core/blockers.ts";

const home = { owner: "acme", name: "Shop" };
const row: BlockersRow = {
  repositoryId: 7,
  issue: 1,
  readAt: 0,
  blockers: [
    { repository: "Acme/shop", number: 2, open: true },
    { repository: "acme/shop", number: 3, open: false },
    { repository: "acme/lib", number: 2, open: true },
  ],
};

it("names an issue of the same repository by its number, another's with the repository", () => {
  expect(openBlockers(row, home)).toEqual(["#2", "acme/lib#2"]);
  expect(issueText({ repository: "acme/shop-2", number: 2 }, home)).toBe("acme/shop-2#2");
});

it("knows a blocker, open or closed, however its repository is written", () => {
  expect(isBlockedBy(row, { repository: "acme/SHOP", number: 3 })).toBe(true);
  expect(isBlockedBy(row, { repository: "acme/lib", number: 3 })).toBe(false);
  expect(issueKey({ repository: "Acme/Shop", number: 3 })).toBe("acme/shop#3");
});
