import { beforeAll, describe, expect, it } from "vitest";
import type { GitHub } from "../../src/domain/ports/github.ts";
import { type GitHubWorld, newBranch, newIssue, pullOf } from "./github-world.ts";

/** Not over in any test. */
const LAGS = { lagsUntil: Date.UTC(2200, 0) };

const UNSEEN = { code: "unseen", consequence: "park", retryAt: LAGS.lagsUntil, uncertain: false };
const ONCE = { early: UNSEEN, wrote: [false, true, false] };

/** What is not written again while GitHub's lists may lag. `made` gives the world once it stands. */
export function lagContract(made: () => GitHubWorld): void {
  const writes = (): number => made().writes();
  let github: GitHub;
  let here: GitHubWorld["repository"];
  beforeAll(() => {
    ({ github, repository: here } = made());
  });

  /** Asked for while lists lag, then when they do not, then while they lag again: how that ends, and what was written. */
  async function thrice(write: (asked: { lagsUntil?: number }) => Promise<unknown>): Promise<unknown> {
    const before = writes();
    const early = await write(LAGS).catch((error: unknown) => error);
    const meanwhile = writes();
    const first = await write({ lagsUntil: 1 });
    const after = writes();
    expect(await write(LAGS)).toEqual(first);
    return { early, wrote: [meanwhile > before, after > meanwhile, writes() > after] };
  }

  describe("what an earlier try may have written, while lists may lag", () => {
    it("is no comment until then", async () => {
      const number = await newIssue(made());
      const comment = { key: "lag", body: "Said.", knownId: undefined };
      expect(
        await thrice((asked) => github.putComment(here, number, { ...comment, ...asked })),
      ).toMatchObject(ONCE);
    });

    it("is no issue until then", async () => {
      const issue = { key: `lag-${Date.now()}`, title: "Late", body: "Late." };
      expect(await thrice((asked) => github.createIssue(here, { ...issue, ...asked }))).toMatchObject(ONCE);
    });

    it("is no pull request until then", async () => {
      const pull = pullOf(await newBranch(made()));
      expect(
        await thrice(async (asked) => (await github.openPullRequest(here, { ...pull, ...asked })).number),
      ).toMatchObject(ONCE);
    });

    it("is no review and no check run until then", async () => {
      const pull = await github.openPullRequest(here, pullOf(await newBranch(made())));
      const said = { event: "COMMENT", body: "Fine.", bodyWithComments: "Fine.", comments: [] } as const;
      const review = { key: "lag", commit: pull.headSha, ...said };
      expect(
        await thrice((asked) => github.writeReview(here, pull.number, { ...review, ...asked })),
      ).toMatchObject(ONCE);
      const shown = {
        conclusion: null,
        title: "Reviewed",
        summary: "1 of 2",
        detailsUrl: null,
        create: true,
      };
      const check = { name: "lag", commit: pull.headSha, ...shown };
      expect(await thrice((asked) => github.putCheck(here, { ...check, ...asked }))).toMatchObject({
        early: UNSEEN,
        wrote: [false, true, true],
      });
    });
  });
}
