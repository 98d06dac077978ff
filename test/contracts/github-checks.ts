import { describe, expect, it } from "vitest";
import { type GitHubWorld, newBranch } from "./github-world.ts";

/** How the checks of a commit are read. `made` gives the world once it stands. */
export function checkContract(made: () => GitHubWorld): void {
  const checksOf = (commit: string) => made().github.checks(made().repository, commit);

  describe("the checks of a commit", () => {
    it.each(["run", "status"] as const)("that report by %s are pending, then green or red", async (kind) => {
      const branch = await newBranch(made());
      const report = (state: "pending" | "green" | "red") =>
        made().report(branch, { name: "build", kind, state });
      const commit = await report("pending");
      expect(await checksOf(commit)).toMatchObject([{ name: "build", state: "pending" }]);
      await report("green");
      expect(await checksOf(commit)).toMatchObject([{ name: "build", state: "green" }]);
      await report("red");
      expect(await checksOf(commit)).toMatchObject([
        {
          name: "build",
          state: "red",
          conclusion: "failure",
          changedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ]);
    });

    it("stand beside each other, and are none of another commit's", async () => {
      const [one, other] = [await newBranch(made()), await newBranch(made())];
      await made().report(one, { name: "build", kind: "run", state: "green" });
      const commit = await made().report(one, { name: "lint", kind: "status", state: "red" });
      expect((await checksOf(commit)).map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual([
        "build green",
        "lint red",
      ]);
      const theirs = await made().report(other, { name: "docs", kind: "run", state: "green" });
      expect(await checksOf(theirs)).toHaveLength(1);
    });
  });

  describe("a failed job of GitHub Actions", () => {
    const LOG = "2026-01-01T10:00:00.1234567Z Error: expected 1, got 2\n";
    const FAILED = { name: "build", step: "npm test", log: LOG };

    it("is a red check that names its job, and tells its step and its log", async () => {
      const commit = await made().failJob(await newBranch(made()), FAILED);
      const [check] = await checksOf(commit);
      expect(check).toMatchObject({ name: "build", state: "red", run: { job: true } });
      expect(await made().github.failedJob(made().repository, check?.run?.id ?? 0)).toEqual(FAILED);
    });

    it("is run again as another run of the same check, and no second time", async () => {
      const commit = await made().failJob(await newBranch(made()), FAILED);
      const id = (await checksOf(commit))[0]?.run?.id ?? 0;
      await made().github.rerunJob(made().repository, id);
      const [again, ...others] = await checksOf(commit);
      expect(others).toEqual([]);
      expect(again).toMatchObject({ name: "build", state: "pending", run: { job: true } });
      expect(again?.run?.id).not.toBe(id);
    });

    it("that is not there is none, and cannot be run again", async () => {
      const { github, repository } = made();
      expect(await github.failedJob(repository, 1_234_567)).toBeNull();
      await expect(github.rerunJob(repository, 1_234_567)).rejects.toMatchObject({
        code: expect.stringMatching(/^(not_found|forbidden)$/),
      });
    });
  });

  it("knows whether workflows of a commit wait for a person's approval", async () => {
    const [free, held] = [await newBranch(made()), await newBranch(made())];
    const ran = await made().report(free, { name: "build", kind: "run", state: "green" });
    expect(await made().github.awaitsApproval(made().repository, ran)).toBe(false);
    const commit = await made().holdWorkflows(held);
    expect(await made().github.awaitsApproval(made().repository, commit)).toBe(true);
  });

  it("asks for nothing that we do not do, and none of it is in a branch that is not there", async () => {
    const nothing = { signatures: false, lfs: false, submodules: false };
    for (const branch of ["main", "no-such-branch"])
      expect(await made().github.repositoryLimits(made().repository, branch)).toEqual(nothing);
  });

  it("knows which branches there are", async () => {
    const { github, repository } = made();
    const branch = await newBranch(made());
    expect(await github.hasBranch(repository, "main")).toBe(true);
    expect(await github.hasBranch(repository, branch)).toBe(true);
    expect(await github.hasBranch(repository, "no-such-branch")).toBe(false);
  });

  it("requires no check on a branch that is not protected, nor on one that is not there", async () => {
    expect(await made().github.requiredChecks(made().repository, "main")).toEqual([]);
    expect(await made().github.requiredChecks(made().repository, "no-such-branch")).toEqual([]);
  });
}
