import { beforeAll, describe, expect, it } from "vitest";
import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import { type GitHubWorld, newBranch, pullOf } from "./github-world.ts";

/** How pull requests behave, ours and those of people. `made` gives the world once it stands. */
export function pullRequestContract(made: () => GitHubWorld): void {
  let world: GitHubWorld;
  let github: GitHub;
  let here: RepositoryRef;
  beforeAll(() => {
    world = made();
    ({ github, repository: here } = world);
  });

  it("tells the comments on lines of a pull request with file and line, and none where nobody made one", async () => {
    const head = await newBranch(world);
    const number = await world.openPull(head);
    expect(await github.reviewComments(here, number)).toEqual([]);
    await world.reviewComment(number, { path: `${head}.md`, body: "Why this?" });
    const [said, ...others] = await github.reviewComments(here, number);
    expect(said).toMatchObject({ path: `${head}.md`, line: 1, body: "Why this?" });
    expect(said?.author).toMatchObject({ login: "writer", type: "User" });
    expect(Date.parse(said?.createdAt ?? "")).toBeGreaterThan(0);
    expect(others).toEqual([]);
    await expect(github.reviewComments(here, 9999)).rejects.toMatchObject({ code: "not_found" });
  });

  it("lists what a pull request changes, and writes its body again", async () => {
    const head = await newBranch(world);
    const { number } = await github.openPullRequest(here, pullOf(head));
    expect(await github.pullRequestFiles(here, number)).toEqual([`${head}.md`]);
    await expect(github.pullRequestFiles(here, 9999)).rejects.toMatchObject({ code: "not_found" });
    const body = "Facts.\r\n\r\n  A person's words.";
    await github.setPullRequestBody(here, number, body);
    await github.setPullRequestBody(here, number, body);
    expect((await github.pullRequest(here, number)).body).toBe(body);
    await expect(github.setPullRequestBody(here, 9999, body)).rejects.toMatchObject({ code: "not_found" });
  });

  it("tells the reviews of a pull request, oldest first, and none where nobody made one", async () => {
    const { number } = await github.openPullRequest(here, pullOf(await newBranch(world)));
    expect(await github.reviews(here, number)).toEqual([]);
    await world.review(number, { event: "REQUEST_CHANGES", body: "Not like this." });
    await world.review(number, { event: "COMMENT", body: "Look here." });
    const reviews = await github.reviews(here, number);
    expect(reviews).toMatchObject([
      { verdict: "changes_requested", body: "Not like this.", author: { login: "writer" } },
      { verdict: "commented", body: "Look here." },
    ]);
    for (const { submittedAt } of reviews) expect(Date.parse(submittedAt)).toBeGreaterThan(0);
  });

  it("tells who merged a pull request, and into which commit", async () => {
    const { number } = await github.openPullRequest(here, pullOf(await newBranch(world)));
    await world.mergePull(number);
    const events = await github.events(here, number);
    expect(events.map(({ event }) => event)).toEqual(["merged", "closed"]);
    expect(events[0]).toMatchObject({
      actor: { login: "writer" },
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  describe("a pull request of ours", () => {
    it("is opened with our marker and read back", async () => {
      const head = await newBranch(world);
      const opened = await github.openPullRequest(here, { ...pullOf(head), draft: true });
      expect(opened).toMatchObject({ title: "Change", state: "open", merged: false, draft: true });
      expect(opened).toMatchObject({
        headRef: head,
        baseRef: "main",
        headRepository: `${here.owner}/${here.name}`,
      });
      expect(opened.headSha).toMatch(/^[0-9a-f]{40}$/);
      expect(opened.author.id).toBe((await github.identity()).botId);
      expect(opened.body).toMatch(/^What changed\.\n\n<!-- flotilla:v1 key=\S+ mac=\w+ -->$/);
      expect(await github.pullRequest(here, opened.number)).toEqual(opened);
      expect(await github.issue(here, opened.number)).toMatchObject({ isPullRequest: true });
    });

    it("says since when it is open, how large it is and whom it waits for, in lists too but for its size", async () => {
      const head = await newBranch(world);
      const { number } = await github.openPullRequest(here, pullOf(head));
      await world.assign(number, "writer");
      const { createdAt, asked, changedLines } = await github.pullRequest(here, number);
      expect(Date.parse(createdAt)).toBeGreaterThan(0);
      expect(asked).toEqual(["writer"]);
      expect(changedLines).toBeGreaterThan(0);
      expect(await github.pullRequests(here, { head })).toMatchObject([{ asked, createdAt }]);
    });

    it("is adopted when it is open already, under another key too", async () => {
      const head = await newBranch(world);
      const first = await github.openPullRequest(here, pullOf(head));
      expect(await github.openPullRequest(here, pullOf(head, "another key"))).toMatchObject({
        number: first.number,
        body: first.body,
      });
    });

    it.each(["before", "after"] as const)(
      "is there once when the answer was lost %s it was made",
      async (when) => {
        const head = await newBranch(world);
        world.loseNextWrite("openPullRequest", when);
        const lost = github.openPullRequest(here, pullOf(head));
        await expect(lost).rejects.toMatchObject({ consequence: "retry", uncertain: true });
        const { number } = await github.openPullRequest(here, pullOf(head));
        expect((await github.pullRequests(here, { head })).map((found) => found.number)).toEqual([number]);
      },
    );

    it("is the same for its key after it was merged, and a new one for a new key after it was closed", async () => {
      const [merged, closed] = [await newBranch(world), await newBranch(world)];
      const one = await github.openPullRequest(here, pullOf(merged));
      const two = await github.openPullRequest(here, pullOf(closed));
      await world.mergePull(one.number);
      await world.closePull(two.number);
      expect(await github.openPullRequest(here, pullOf(merged))).toMatchObject({
        number: one.number,
        merged: true,
      });
      const three = await github.openPullRequest(here, pullOf(closed, "second attempt"));
      expect(three.number).not.toBe(two.number);
      expect(
        (await github.pullRequests(here, { head: closed })).map(({ number, state }) => [number, state]),
      ).toEqual([
        [three.number, "open"],
        [two.number, "closed"],
      ]);
    });

    it("is refused, for a person to see, when the branch brings nothing new", async () => {
      const head = await newBranch(world, { ahead: false });
      await expect(github.openPullRequest(here, pullOf(head))).rejects.toMatchObject({
        code: "invalid",
        consequence: "tell",
        uncertain: false,
        message: expect.stringContaining("no commit"),
      });
    });

    it("is never a person's", async () => {
      const head = await newBranch(world);
      const theirs = await world.openPull(head);
      await expect(github.openPullRequest(here, pullOf(head))).rejects.toMatchObject({
        code: "conflict",
        consequence: "tell",
      });
      expect((await github.pullRequests(here, {})).map(({ number }) => number)).toContain(theirs);
    });
  });

  it("lists the open pull requests of everybody", async () => {
    const [open, closed] = [
      await world.openPull(await newBranch(world)),
      await world.openPull(await newBranch(world)),
    ];
    await world.closePull(closed);
    const listed = await github.pullRequests(here, {});
    expect(listed.map(({ number }) => number)).toContain(open);
    expect(listed.every(({ state }) => state === "open")).toBe(true);
  });
}
