import { beforeAll, describe, expect, it } from "vitest";
import type { WrittenCheck, WrittenReview } from "../../src/domain/ports/github-changes.ts";
import { type GitHubWorld, newBranch, pullOf } from "./github-world.ts";

const SAID = "It breaks on empty input.";

/** How the App shows verdicts. `made` gives the world once it stands. */
export function verdictContract(made: () => GitHubWorld): void {
  let head: string;
  let pull: { readonly number: number; readonly headSha: string };
  const review = (overrides: Partial<WrittenReview> = {}): WrittenReview => ({
    key: "verdict-1",
    event: "COMMENT",
    commit: pull.headSha,
    body: SAID,
    comments: [{ path: `${head}.md`, line: 1, body: "Why?" }],
    bodyWithComments: `${SAID} Why?`,
    ...overrides,
  });
  const write = (number: number, overrides: Partial<WrittenReview> = {}) =>
    made().github.writeReview(made().repository, number, review(overrides));
  const reviews = (number: number) => made().github.reviews(made().repository, number);

  beforeAll(async () => {
    head = await newBranch(made());
    pull = await made().github.openPullRequest(made().repository, pullOf(head));
  });

  describe("a review of the App's", () => {
    it("is written once, with its comments at their lines, however often it is asked for", async () => {
      const first = await write(pull.number);
      expect(await write(pull.number)).toEqual(first);
      const [written, ...others] = await reviews(pull.number);
      expect(written).toMatchObject({ id: first.id, verdict: "commented", commit: pull.headSha });
      expect(written?.body).toContain(SAID);
      expect(others).toEqual([]);
      const comments = await made().github.reviewComments(made().repository, pull.number);
      expect(comments).toMatchObject([{ path: `${head}.md`, line: 1, body: "Why?" }]);
    });

    it("cannot approve or request changes on its own pull request, and can on somebody else's", async () => {
      await expect(write(pull.number, { key: "verdict-2", event: "APPROVE" })).rejects.toMatchObject({
        code: "invalid",
      });
      const theirs = await newBranch(made());
      const number = await made().openPull(theirs);
      const { headSha: commit } = await made().github.pullRequest(made().repository, number);
      await write(number, { key: "verdict-3", event: "APPROVE", commit, comments: [] });
      expect(await reviews(number)).toMatchObject([{ verdict: "approved" }]);
    });

    it("tells in its text what the diff has no line for", async () => {
      const comments = [{ path: `${head}.md`, line: 9999, body: "Why?" }];
      await write(pull.number, { key: "verdict-4", comments });
      expect((await reviews(pull.number)).at(-1)?.body).toContain(`${SAID} Why?`);
    });
  });

  it("has one check run of a name on a commit, made only where that is wanted", async () => {
    const check: WrittenCheck = {
      name: "flotilla/review",
      commit: await made().report(await newBranch(made()), { name: "build", kind: "run", state: "green" }),
      conclusion: null,
      title: "0 of 1 approvals",
      summary: "There is no valid verdict.",
      detailsUrl: null,
      create: false,
    };
    const put = (overrides: Partial<WrittenCheck>) =>
      made().github.putCheck(made().repository, { ...check, ...overrides });
    const states = async () => {
      const all = await made().github.checks(made().repository, check.commit);
      return all
        .filter(({ name }) => name === check.name)
        .map(({ state, conclusion }) => `${state} ${conclusion}`);
    };
    expect(await put({})).toBeNull();
    const made1 = await put({ create: true });
    expect(await states()).toEqual(["pending in_progress"]);
    expect(await put({ conclusion: "failure" })).toEqual(made1);
    expect(await states()).toEqual(["red failure"]);
    await put({ conclusion: "success", create: true });
    expect(await states()).toEqual(["green success"]);
  });
}
