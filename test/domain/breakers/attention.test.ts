import { describe, expect, it } from "vitest";
import { type AwaitingPull, attentionLimit, reviewOrder } from "../../../src/domain/breakers/attention.ts";

const day = (date: string, hour = 8) => Date.parse(`${date}T${String(hour).padStart(2, "0")}:00:00Z`);

const pull = (number: number, overrides: Partial<AwaitingPull> = {}): AwaitingPull => ({
  repositoryId: 7,
  repository: "acme/shop",
  pull: number,
  issue: number + 100,
  openedAt: day("2026-11-20", number),
  changedLines: 10,
  asked: [],
  ...overrides,
});

it("puts the oldest day first, of one day the smallest, and what was not measured last", () => {
  const pulls = [
    pull(1, { changedLines: null }),
    pull(2, { changedLines: 40 }),
    pull(3, { changedLines: 4 }),
    pull(5),
    pull(4),
    pull(9, { openedAt: day("2026-11-18"), changedLines: 900 }),
  ];
  expect(reviewOrder(pulls).map((one) => one.pull)).toEqual([9, 3, 4, 5, 2, 1]);
});

const limit = (pulls: readonly AwaitingPull[], open: number) =>
  attentionLimit(pulls, { repositoryId: 7, limit: open });

describe("no new work begins", () => {
  it("while as many pull requests as are allowed await people in the repository, and it says which come first", () => {
    const pulls = [
      pull(4),
      pull(3, { changedLines: null }),
      pull(2),
      pull(1, { openedAt: day("2026-11-01") }),
    ];
    expect(limit(pulls, 4)).toBe(
      "4 pull requests of ours await people, and attention.open_prs is 4; look first at #1 (of 2026-11-01, 10 changed lines), #2 (of 2026-11-20, 10 changed lines), #4 (of 2026-11-20, 10 changed lines)",
    );
    expect(limit(pulls, 5)).toBeNull();
    expect(limit([pull(3, { changedLines: null })], 1)).toContain("#3 (of 2026-11-20)");
  });

  it("because of another repository's only where one of its people has as many over all repositories", () => {
    const there = { repositoryId: 8, repository: "acme/tools", asked: ["ada"] };
    const pulls = [pull(1, { asked: ["bob", "ada"] }), pull(2, there), pull(3, there)];
    expect(limit(pulls, 3)).toMatch(
      /^@ada is asked to look at 3 pull requests of ours, .* look first at #1 .*, acme\/tools#2 .*, acme\/tools#3 /,
    );
    expect(limit([pull(1, { asked: ["bob"] }), ...pulls.slice(1)], 2)).toBeNull();
    expect(limit(pulls.slice(1), 1)).toBeNull();
  });
});
