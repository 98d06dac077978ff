import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import { checkContract } from "./github-checks.ts";
import { commentContract } from "./github-comments.ts";
import { fileContract } from "./github-files.ts";
import { lagContract } from "./github-lag.ts";
import { mergeContract } from "./github-merging.ts";
import { proposingContract } from "./github-proposing.ts";
import { pullRequestContract } from "./github-pull-requests.ts";
import { verdictContract } from "./github-verdicts.ts";
import { type GitHubWorld, newBranch, newIssue } from "./github-world.ts";

/** What the engine may rely on, whoever implements the port. */
export function gitHubContract(name: string, setup: () => Promise<GitHubWorld>): void {
  // A world of its own: in one, so many writes in a minute would meet GitHub's limits.
  describe(`GitHub contract: ${name}, proposing`, () => {
    proposingContract(setup);
  });

  describe(`GitHub contract: ${name}`, () => {
    let world: GitHubWorld;
    let github: GitHub;
    let here: RepositoryRef;

    beforeAll(async () => {
      world = await setup();
      ({ github, repository: here } = world);
    });
    afterAll(() => world.close());

    // First, since labels leave half of what may be made in a minute to others, and the others here make more than that.
    describe("labels", () => {
      it("are added once, ours created in our colour first", async () => {
        const number = await world.openIssue({ title: "Plain", body: "", labels: [] });
        expect(await world.labelColor("needs-human")).toBeUndefined();
        await github.addLabels(here, number, ["needs-human", "bug"]);
        await github.addLabels(here, number, ["needs-human"]);
        expect((await github.issue(here, number)).labels.toSorted()).toEqual(["bug", "needs-human"]);
        expect(await world.labelColor("needs-human")).toBe("d93f0b");
      });

      it("that nobody has created are refused and not made up", async () => {
        const number = await newIssue(world);
        await expect(github.addLabels(here, number, ["bugg"])).rejects.toMatchObject({ code: "invalid" });
        expect(await world.labelColor("bugg")).toBeUndefined();
      });

      it("of the repository are read, and put as it spells them; others are left out and not made up", async () => {
        const number = await world.openIssue({ title: "Plain", body: "", labels: [] });
        expect(await github.labels(here)).toContain("bug");
        const put = await github.addExistingLabels(here, number, ["BUG", "bugg", ".."]);
        expect(put).toEqual(["bug"]);
        expect(await github.addExistingLabels(here, number, ["bug"])).toEqual(["bug"]);
        expect(await github.addExistingLabels(here, number, ["bugg"])).toEqual([]);
        expect((await github.issue(here, number)).labels).toEqual(["bug"]);
        expect(await github.labels(here)).not.toContain("bugg");
      });

      it("are removed, those that are not there too", async () => {
        const number = await newIssue(world);
        await github.removeLabel(here, number, "bug");
        await github.removeLabel(here, number, "bug");
        expect((await github.issue(here, number)).labels).toEqual([]);
      });
    });

    commentContract(() => world);
    pullRequestContract(() => world);
    checkContract(() => world);
    mergeContract(() => world);
    fileContract(() => world);
    lagContract(() => world);
    verdictContract(() => world);

    it("knows itself as a bot named after its slug", async () => {
      const identity = await github.identity();
      expect(identity.botLogin).toBe(`${identity.slug}[bot]`);
      expect(identity.botId).toBeGreaterThan(0);
    });

    it("reads a repository", async () => {
      expect(await github.repository(here)).toEqual({
        id: here.id,
        fullName: `${here.owner}/${here.name}`,
        defaultBranch: "main",
        private: true,
        archived: false,
      });
    });

    it("reads an issue, open and then closed", async () => {
      const number = await newIssue(world, "Read me");
      const read = await github.issue(here, number);
      expect(read).toMatchObject({
        number,
        title: "Read me",
        body: "Text",
        state: "open",
        locked: false,
        isPullRequest: false,
      });
      expect(read).toMatchObject({ labels: ["bug"], assignees: [], stateReason: null });
      expect(read.author).toMatchObject({ login: "writer", type: "User" });
      await world.closeIssue(number);
      expect(await github.issue(here, number)).toMatchObject({ state: "closed", stateReason: "completed" });
    });

    it("lists the open issues with a label, the newest first", async () => {
      const [first, closed, last] = [await newIssue(world), await newIssue(world), await newIssue(world)];
      await world.closeIssue(closed);
      await world.openIssue({ title: "Other", body: "", labels: [] });
      const numbers = (await github.issuesWith(here, "bug")).map(({ number }) => number);
      expect(numbers.slice(0, 2)).toEqual([last, first]);
      expect(numbers).not.toContain(closed);
      expect(await github.issuesWith(here, "no-such-label")).toEqual([]);
    });

    it("lists so many issues, open and closed, the newest first", async () => {
      const [first, closed, last] = [await newIssue(world), await newIssue(world), await newIssue(world)];
      await world.closeIssue(closed);
      const newest = [last, closed, first].map((number) => ({ number }));
      expect(await github.newestIssues(here, 3)).toMatchObject(newest);
      expect(await github.newestIssues(here, 1)).toMatchObject(newest.slice(0, 1));
      expect((await github.newestIssues(here, 1000)).slice(0, 3)).toMatchObject(newest);
    });

    it("searches issues of this repository alone, as many as asked for", async () => {
      const [first, last] = [await newIssue(world), await newIssue(world)];
      const { title } = await github.issue(here, last);
      const found = (await github.searchIssues(here, title, 100)).map(({ number }) => number);
      expect(found).toEqual(expect.arrayContaining([first, last]));
      expect(await github.searchIssues(here, title, 1)).toHaveLength(1);
      expect(await github.searchIssues(here, "nothing-is-called-so", 5)).toEqual([]);
    });

    it("tells what happened to an issue, oldest first, and who did it", async () => {
      const number = await newIssue(world);
      await world.assign(number, "writer");
      await world.unlabel(number, "bug");
      await world.closeIssue(number);
      const events = (await github.events(here, number)).slice(-3);
      expect(events).toMatchObject([
        { event: "assigned", assignee: { login: "writer" }, label: null },
        { event: "unlabeled", assignee: null, label: "bug" },
        { event: "closed", assignee: null, label: null, commit: null },
      ]);
      expect(new Set(events.map(({ id }) => id)).size).toBe(3);
      for (const { actor, createdAt } of events) {
        expect(actor).toMatchObject({ login: "writer", type: "User" });
        expect(Date.parse(createdAt)).toBeGreaterThan(0);
      }
    });

    it("closes an issue as completed, however often it is asked", async () => {
      const number = await newIssue(world);
      for (const _ of [1, 2]) await github.closeIssue(here, number);
      expect(await github.issue(here, number)).toMatchObject({ state: "closed", stateReason: "completed" });
    });

    it("says that what is missing is not found and will not be", async () => {
      const missing = await Promise.allSettled([
        github.issue(here, 9999),
        github.comments(here, 9999),
        github.events(here, 9999),
        github.reviews(here, 9999),
        github.pullRequest(here, 9999),
        github.putComment(here, 9999, { key: "k", body: "Text", knownId: undefined }),
        github.removeLabel(here, 9999, "bug"),
        github.closeIssue(here, 9999),
        github.react(here, 99_999_999, "eyes"),
      ]);
      const reason = expect.objectContaining({ code: "not_found", consequence: "stop", uncertain: false });
      for (const outcome of missing) expect(outcome).toEqual({ status: "rejected", reason });
    });

    it("reads more comments than fit a page, oldest first", async () => {
      const number = await newIssue(world);
      for (let i = 1; i <= 101; i++) await world.comment(number, `Comment ${i}`);
      const read = await github.comments(here, number);
      expect(read.map(({ body }) => body)).toEqual(Array.from({ length: 101 }, (_, i) => `Comment ${i + 1}`));
      expect(read[0]?.author).toMatchObject({ login: "writer", type: "User" });
      expect(Date.parse(read[0]?.createdAt ?? "")).toBeGreaterThan(0);
    });

    it("reacts to a comment as often as asked", async () => {
      const comment = await world.comment(await newIssue(world), "Hello");
      await github.react(here, comment, "eyes");
      await expect(github.react(here, comment, "eyes")).resolves.toBeUndefined();
    });

    it("reacts to a comment on a line, which is no comment of the issue", async () => {
      const head = await newBranch(world);
      const pull = await world.openPull(head);
      await world.reviewComment(pull, { path: `${head}.md`, body: "Why?" });
      const [line] = await github.reviewComments(here, pull);
      const id = line?.id ?? 0;
      await expect(github.react(here, id, "+1", "review")).resolves.toBeUndefined();
      await expect(github.react(here, id, "+1")).rejects.toMatchObject({ code: "not_found" });
    });

    it.each([
      ["writer", "write"],
      ["reader", "read"],
      ["stranger", "none"],
      ["nobody-at-all", "none"],
    ])("knows the permission of %s: %s", async (login, permission) => {
      expect(await github.permission(here, { login, id: null })).toBe(permission);
    });

    it("records what an issue waits for as often as asked, and not for what is missing", async () => {
      const [waiting, blocker] = [await newIssue(world), await newIssue(world)];
      await github.addBlockedBy(here, waiting, blocker);
      await expect(github.addBlockedBy(here, waiting, blocker)).resolves.toBeUndefined();
      await expect(github.addBlockedBy(here, waiting, 9999)).rejects.toMatchObject({ code: "not_found" });
      await expect(github.addBlockedBy(here, 9999, blocker)).rejects.toMatchObject({ code: "not_found" });
    });

    it("reads what an issue waits for, open or closed", async () => {
      const [waiting, open, done] = [await newIssue(world), await newIssue(world), await newIssue(world)];
      expect(await github.blockedBy(here, waiting)).toEqual([]);
      for (const blocker of [open, done]) await github.addBlockedBy(here, waiting, blocker);
      await world.closeIssue(done);
      const repository = `${here.owner}/${here.name}`;
      expect(await github.blockedBy(here, waiting)).toEqual([
        { repository, number: open, state: "open" },
        { repository, number: done, state: "closed" },
      ]);
      await expect(github.blockedBy(here, 9999)).rejects.toMatchObject({ code: "not_found" });
    });

    it("makes an issue a part of another as often as asked, and not of what is missing", async () => {
      const [parent, child] = [await newIssue(world), await newIssue(world)];
      await github.addSubIssue(here, parent, child);
      await expect(github.addSubIssue(here, parent, child)).resolves.toBeUndefined();
      expect(await github.parentOf(here, child)).toMatchObject({ number: parent });
      await expect(github.addSubIssue(here, parent, 9999)).rejects.toMatchObject({ code: "not_found" });
      await expect(github.addSubIssue(here, 9999, child)).rejects.toMatchObject({ code: "not_found" });
    });

    it("reads of which issue another is a part", async () => {
      const [parent, child] = [await newIssue(world), await newIssue(world)];
      expect(await github.parentOf(here, child)).toBeNull();
      await world.makePart(parent, child);
      const repository = `${here.owner}/${here.name}`;
      expect(await github.parentOf(here, child)).toEqual({ repository, number: parent, state: "open" });
      expect(await github.subIssues(here, parent)).toEqual([{ repository, number: child, state: "open" }]);
      expect(await github.subIssues(here, child)).toEqual([]);
      await expect(github.subIssues(here, 9999)).rejects.toMatchObject({ code: "not_found" });
      await expect(github.parentOf(here, 9999)).rejects.toMatchObject({ code: "not_found" });
    });

    it("opens an issue of ours once for its key, open or closed", async () => {
      const wanted = { key: `incident-${Date.now()}`, title: "All fail", body: "Alike." };
      const opened = await github.createIssue(here, wanted);
      expect(opened).toMatchObject({ title: "All fail", state: "open", isPullRequest: false });
      expect(opened.body).toMatch(/^Alike\.\n\n<!-- flotilla:v1 key=\S+ mac=\w+ -->$/);
      expect(await github.createIssue(here, wanted)).toEqual(opened);
      await world.closeIssue(opened.number);
      expect((await github.createIssue(here, wanted)).number).toBe(opened.number);
      const other = await github.createIssue(here, { ...wanted, key: `${wanted.key}-b` });
      expect(other.number).not.toBe(opened.number);
    });

    it("gives a token for git", async () => {
      expect(await github.gitToken(here)).toMatch(/^\S{8,}$/);
    });

    it("finds nothing in a repository that is not the installation's", async () => {
      const elsewhere = { ...here, id: here.id + 1_000_000, name: "elsewhere" };
      await expect(github.issue(elsewhere, 1)).rejects.toBeInstanceOf(GitHubError);
    });
  });
}
