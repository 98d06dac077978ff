import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proved } from "../../proved.ts";
import { tryHostile } from "./hostile-tree-rig.ts";
import { HOSTILE } from "./hostile-trees.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

describe("A hostile tree", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  beforeAll(async () => {
    harness = await realHarness();
  });
  afterAll(() => harness.close());

  it("hangs no operation, leads none out of the tree, hides no work, and goes with the worktree", async () => {
    const { operations, ...outcome } = await tryHostile(harness, "dev-issue-1", HOSTILE);
    expect(outcome).toEqual({
      failed: [],
      changedOutside: false,
      secretInGit: false,
      missing: [],
      directoryLeft: false,
    });
    proved({
      promise: "A hostile tree neither holds git up nor leads it out of the worktree",
      test: "test/adapters/git/hostile-tree.test.ts",
      figure: `${HOSTILE.length} hostile things, ${operations} operations: ${outcome.failed.length} failed, 0 bytes outside read or changed`,
    });
  });
});
