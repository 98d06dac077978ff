import { describe, expect, it } from "vitest";
import { lastExit, stepInQueue } from "../../../src/domain/merge-queue/github-queue.ts";

const OURS = "flotilla[bot]";
const left = { at: 5000, reason: "failed_checks", by: "github-merge-queue[bot]", commit: "c1" };
const about = { pull: 12, base: "main" };
const after = (reason: string, by: string | null = null) =>
  stepInQueue({ isIn: false, left: { reason, by }, failure: "the log" }, about);

const exit = (changes: Partial<typeof left>, isIn = false) =>
  lastExit({ isIn, left: { ...left, ...changes } }, { since: 5000, botLogin: OURS });

describe("the last exit from GitHub's queue", () => {
  it("counts when it is about the commit under review", () => {
    expect(exit({})).toEqual(left);
    expect(exit({ at: 4999 })).toBeNull();
    expect(exit({}, true)).toBeNull();
  });

  it.each(["merged", "MERGE", "already_merged"])("does not count when it was a merge (%s)", (reason) => {
    expect(exit({ reason })).toBeNull();
  });

  it("does not count when Flotilla took the work out", () => {
    expect(exit({ reason: "manual", by: OURS })).toBeNull();
    expect(exit({ reason: "manual", by: "alice" })).not.toBeNull();
    expect(exit({ by: OURS })).not.toBeNull();
  });
});

describe("what follows from GitHub's queue", () => {
  it("is that the work is added, where it neither is nor was in it", () => {
    expect(stepInQueue({ isIn: false, left: null, failure: "" }, about)).toBeNull();
  });

  it("is to wait while it is in it", () => {
    expect(stepInQueue({ isIn: true, left: null, failure: "" }, about)).toEqual({
      kind: "in_queue",
      why: "#12 is in GitHub's merge queue of `main`",
      change: "nothing: GitHub merges it when the queue's checks are green",
    });
  });

  it.each(["failed_checks", "CI_FAILURE", "checks_failed"])("is the coder's turn after %s", (reason) => {
    expect(after(reason)).toEqual({
      kind: "fail",
      cause: "checks",
      reason: "the checks of #12 failed in GitHub's merge queue of `main`",
      detail: "the log",
    });
  });

  it.each(["merge_conflict", "MERGE_CONFLICT", "GIT_TREE_INVALID"])(
    "is the coder's turn after %s",
    (reason) => {
      expect(after(reason)).toMatchObject({ kind: "fail", cause: "base_moved", detail: "" });
    },
  );

  it("is a person's turn after a person took it out", () => {
    expect(after("manual", "alice")).toEqual({
      kind: "wait",
      why: "@alice took #12 out of GitHub's merge queue of `main`",
      change: "add #12 to GitHub's merge queue of `main` again, or merge it by hand",
    });
  });

  it.each(["", "CI_TIMEOUT", "checks_timed_out", "QUEUE_CLEARED", "BRANCH_PROTECTIONS", "<!-- @all\n"])(
    "is a person's turn after any other reason (%s)",
    (reason) => {
      const step = after(reason);
      expect(step).toMatchObject({ kind: "wait", why: expect.stringContaining("GitHub took #12 out of") });
      expect(JSON.stringify(step)).not.toMatch(/\n|[^`]<!--/);
    },
  );
});
