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
      expect(await checksOf(commit)).toEqual([
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

  it("requires no check on a branch that is not protected, nor on one that is not there", async () => {
    expect(await made().github.requiredChecks(made().repository, "main")).toEqual([]);
    expect(await made().github.requiredChecks(made().repository, "no-such-branch")).toEqual([]);
  });
}
