import { beforeAll, describe, expect, it } from "vitest";
import type { GitHub } from "../../src/core/ports/github.ts";
import { type GitHubWorld, newBranch, newIssue, pullOf } from "./github-world.ts";

/** Not over in any test. */
const LAGS = { lagsUntil: Date.UTC(2200, 0) };

/** What is not written again while GitHub's lists may lag. `made` gives the world once it stands. */
export function lagContract(made: () => GitHubWorld): void {
  let github: GitHub;
  let here: GitHubWorld["repository"];
  beforeAll(() => {
    ({ github, repository: here } = made());
  });

  /** Refused until then, with nothing written; found where it was written before. */
  async function twice(write: (asked: { lagsUntil?: number }) => Promise<unknown>): Promise<void> {
    const before = made().writes();
    await expect(write(LAGS)).rejects.toMatchObject({
      code: "unseen",
      consequence: "park",
      retryAt: LAGS.lagsUntil,
      uncertain: false,
    });
    expect(made().writes()).toBe(before);
    const first = await write({ lagsUntil: 1 });
    expect(made().writes()).toBeGreaterThan(before);
    expect(await write(LAGS)).toEqual(first);
  }

  describe("what an earlier try may have written, while lists may lag", () => {
    it("is no comment until then", async () => {
      const number = await newIssue(made());
      const comment = { key: "lag", body: "Said.", knownId: undefined };
      await twice((asked) => github.putComment(here, number, { ...comment, ...asked }));
    });

    it("is no issue until then", async () => {
      const issue = { key: `lag-${Date.now()}`, title: "Late", body: "Late." };
      await twice((asked) => github.createIssue(here, { ...issue, ...asked }));
    });

    it("is no pull request until then", async () => {
      const pull = pullOf(await newBranch(made()));
      await twice(async (asked) => (await github.openPullRequest(here, { ...pull, ...asked })).number);
    });

    it("is no review and no check run until then", async () => {
      const pull = await github.openPullRequest(here, pullOf(await newBranch(made())));
      const said = { event: "COMMENT", body: "Fine.", bodyWithComments: "Fine.", comments: [] } as const;
      const review = { key: "lag", commit: pull.headSha, ...said };
      await twice((asked) => github.writeReview(here, pull.number, { ...review, ...asked }));
      const shown = { conclusion: null, title: "Reviewed", summary: "1 of 2", create: true };
      const check = { name: "lag", commit: pull.headSha, ...shown };
      await twice((asked) => github.putCheck(here, { ...check, ...asked }));
    });
  });
}
