import { expect, it } from "vitest";
import {
  behindWords,
  broughtInText,
  conflictBehindWords,
  mergeQueueText,
  mergeRequest,
  turnWords,
} from "../../../src/domain/merge-queue/merge-text.ts";
import type { MergeQueueFacts } from "../../../src/domain/merge-queue/next-step.ts";

const HEAD = "abcdef0".padEnd(40, "0");

const FACTS: MergeQueueFacts = {
  reviewCommit: HEAD,
  pull: { number: 12, state: "open", merged: false, draft: false, baseRef: "main", mergeState: "clean" },
  comparison: { head: HEAD, base: HEAD, approved: true, current: true, files: [], shared: [], conflicts: [] },
  base: "main",
  demands: { upToDate: false, approvals: 0, queue: false },
  approvals: 0,
  requesters: [],
  takenBack: [],
  withoutAccess: [],
  apps: [],
  required: 0,
  checks: { kind: "green" },
  failure: "",
  holds: [],
  coderAtWork: false,
  refusal: null,
  merges: true,
};
const VERDICTS = [
  { reviewer: "alice", account: 5, commit: HEAD, at: 1 },
  { reviewer: "reviewer-issue-1", account: null, commit: HEAD, at: 2 },
];

it("a person who is to merge is told who approved what, and how checks and base stand", () => {
  expect(mergeRequest(FACTS, { kind: "merge" }, VERDICTS)).toEqual({
    reason:
      "#12 is approved by alice and reviewer-issue-1 at abcdef0; no check is required; it contains all of `main`",
    change:
      "a person with write permission merges #12; to let Flotilla do it, set `merge.auto: true` and `level: merge`",
  });
  const moved = { ...FACTS, comparison: { ...FACTS.comparison, current: false }, required: 1 };
  expect(mergeRequest(moved, { kind: "update" }, []).reason).toBe(
    "#12 is approved at abcdef0; its required checks are green; `main` has moved since, and a merge has no conflict",
  );
  const running = { ...FACTS, required: 1, checks: { kind: "pending", checks: ["build"] } } as const;
  expect(mergeRequest(running, { kind: "wait_checks", why: "" }, []).reason).toContain(
    "its required checks are not green yet (build)",
  );
  const reruns = [{ check: "docs", cause: "flake", byPerson: false }] as const;
  const again = { ...FACTS, required: 1, checks: { kind: "flaky", reruns } } as const;
  expect(mergeRequest(again, { kind: "wait_checks", why: "" }, []).reason).toContain("not green yet (docs)");
});

it("a person who is to merge is told what stands against it first", () => {
  const wait = { kind: "wait", why: "#12 is a draft", change: "mark it ready for review" } as const;
  expect(mergeRequest(FACTS, wait, [])).toEqual({
    reason: "#12 is approved at abcdef0, but #12 is a draft",
    change: "mark it ready for review",
  });
});

it("a coder reads what was merged into its worktree, and what is its part", () => {
  expect(broughtInText("main", { base: HEAD, conflicts: ["a.ts", "b.ts"] })).toBe(
    "the host merged `main` (abcdef0) into your worktree; it is not committed yet. Resolve the conflict markers in a.ts, b.ts, keeping what both sides meant. `commit` makes it one merge commit. Do not merge or rebase yourself",
  );
  expect(broughtInText("main", { base: HEAD, conflicts: [] })).toContain("There was no conflict");
});

it("those who wait read behind whom, and where they stand", () => {
  expect(mergeQueueText({ place: 2, of: 3 })).toBe("place 2 of 3 in the merge queue");
  expect(behindWords(7)).toEqual({
    reason: "it waits for #7, which changes the same files and is ahead of it in the merge queue",
    change: "nothing: it continues when #7 is merged",
  });
  expect(conflictBehindWords("#12 conflicts with `main` (bbbbbbb) in a.ts", 7)).toEqual({
    reason:
      "#12 conflicts with `main` (bbbbbbb) in a.ts; #7, which changes the same files, is ahead of it in the merge queue",
    change: "merge or close the pull request of #7: then the coder fixes this one",
  });
  expect(turnWords(7).reason).toBe("#7 is first in the merge queue, and its checks are running");
});
