import { expect, it } from "vitest";
import {
  type BlockersRow,
  blockerWakeKey,
  hasReported,
  isBlockedBy,
  issueKey,
  issueText,
  openBlockers,
  reportedText,
  stillBlocking,
} from "../../../src/domain/blockers/blockers.ts";
import { anAgent } from "../../factories/records.ts";

const home = { owner: "acme", name: "Shop" };
const row: BlockersRow = {
  repositoryId: 7,
  issue: 1,
  linked: true,
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

it("says what still blocks a sleeper: what it reported and what GitHub has as open, without what wakes name", () => {
  const agent = { id: 3, token: 2 };
  const wakes = (...numbers: readonly number[]) =>
    new Set(numbers.map((number) => blockerWakeKey(agent, { repository: "acme/shop", number })));
  const reported = [{ repository: "acme/shop", number: 5 }];
  const facts = { home, reported, known: row, wakes: wakes() };
  expect(stillBlocking(agent, facts)).toEqual(["#5", "#2", "acme/lib#2"]);
  expect(stillBlocking(agent, { ...facts, wakes: wakes(5, 2) })).toEqual(["acme/lib#2"]);
  expect(stillBlocking(agent, { ...facts, known: undefined })).toEqual(["#5"]);
  const twice = [...reported, { repository: "acme/shop", number: 2 }];
  expect(stillBlocking(agent, { ...facts, reported: twice })).toEqual(["#5", "#2", "acme/lib#2"]);
  // Of an earlier period.
  expect(stillBlocking({ id: 3, token: 3 }, { ...facts, known: undefined, wakes: wakes(5) })).toEqual(["#5"]);
});

it("names what an agent reported, of other repositories with theirs", () => {
  const elsewhere = [{ repositoryId: 8, repository: "acme/lib", number: 4 }];
  expect(reportedText({ blockedBy: [2], blockedElsewhere: elsewhere })).toEqual(["#2", "acme/lib#4"]);
  expect(reportedText({ blockedBy: [], blockedElsewhere: [] })).toEqual([]);
});

it("knows what an agent itself reported, here and elsewhere", () => {
  const agent = anAgent({
    repositoryId: 7,
    blockedBy: [2],
    blockedElsewhere: [{ repositoryId: 8, repository: "acme/lib", number: 3 }],
  });
  expect(hasReported(agent, 7, 2)).toBe(true);
  expect(hasReported(agent, 7, 3)).toBe(false);
  expect(hasReported(agent, 8, 3)).toBe(true);
  expect(hasReported(agent, 8, 2)).toBe(false);
  expect(hasReported(agent, 9, 3)).toBe(false);
});
