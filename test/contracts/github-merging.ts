import { describe, expect, it } from "vitest";
import { type GitHubWorld, newBranch } from "./github-world.ts";

/** How pull requests are merged. */
export function mergeContract(made: () => GitHubWorld): void {
  const opened = async () => {
    const { github, repository } = made();
    const number = await made().openPull(await newBranch(made()));
    return { number, pull: await github.mergeablePull(repository, number) };
  };

  describe("a merge", () => {
    it("takes the expected head, and the pull request says by whom and as which commit", async () => {
      const { github, repository } = made();
      const { number, pull } = await opened();
      expect(pull).toMatchObject({ merged: false, mergeState: "clean", mergeCommit: null, mergedBy: null });
      const answer = await github.mergePull(repository, number, { head: pull.headSha, method: "squash" });
      expect(answer).toMatchObject({ kind: "merged" });
      expect(await github.mergeablePull(repository, number)).toMatchObject({
        merged: true,
        state: "closed",
        mergeCommit: "commit" in answer ? answer.commit : "",
        mergedBy: (await github.identity()).botId,
      });
    });

    it("of another head than the expected one, or of a closed pull request, is answered and not made", async () => {
      const { github, repository } = made();
      const { number, pull } = await opened();
      const head = "0".repeat(40);
      expect(await github.mergePull(repository, number, { head, method: "merge" })).toMatchObject({
        kind: "moved",
      });
      await made().closePull(number);
      expect(
        await github.mergePull(repository, number, { head: pull.headSha, method: "merge" }),
      ).toMatchObject({ kind: "refused", reason: expect.stringMatching(/not mergeable/i) });
    });

    it("is under the demands of the branch's ruleset, and refused while one is not met", async () => {
      const { github, repository } = made();
      const { number, pull } = await opened();
      await made().protect({ checks: ["build"], upToDate: true, approvals: 2 });
      expect(await github.mergeDemands(repository, "main")).toEqual({
        upToDate: true,
        approvals: 2,
        queue: false,
      });
      expect(await github.requiredChecks(repository, "main")).toEqual(["build"]);
      expect((await github.mergeablePull(repository, number)).mergeState).toBe("blocked");
      const how = { head: pull.headSha, method: "merge" } as const;
      expect(await github.mergePull(repository, number, how)).toMatchObject({ kind: "refused" });
      await made().protect({ checks: [], upToDate: false, approvals: 0 });
      expect(await github.mergePull(repository, number, how)).toMatchObject({ kind: "merged" });
    });

    it("is under no demand where no ruleset makes one, nor where there is no such branch", async () => {
      const { github, repository } = made();
      const none = { upToDate: false, approvals: 0, queue: false };
      expect(await github.mergeDemands(repository, "main")).toEqual(none);
      expect(await github.mergeDemands(repository, "no-such-branch")).toEqual(none);
    });
  });
}
