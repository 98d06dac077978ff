import { expect, it } from "vitest";
import { type MergeQueueFacts, nextStep } from "../../../src/domain/merge-queue/next-step.ts";

const HEAD = "a".repeat(40);
const PULL = { number: 12, state: "open", merged: false, draft: false, baseRef: "main" } as const;
const DEMANDS = { upToDate: false, approvals: 0, queue: false };
const FACTS: MergeQueueFacts = {
  reviewCommit: HEAD,
  pull: { ...PULL, mergeState: "clean" },
  comparison: {
    head: HEAD,
    base: "b".repeat(40),
    approved: true,
    current: true,
    files: ["a.ts"],
    shared: [],
    conflicts: [],
  },
  base: "main",
  demands: DEMANDS,
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

it.each<[Partial<MergeQueueFacts>, string, string]>([
  [
    { pull: { ...PULL, baseRef: "release", mergeState: "clean" } },
    "#12 goes to `release`",
    "merge it by hand; only `main` is merged into",
  ],
  [
    { demands: { ...DEMANDS, approvals: 2 }, approvals: 1 },
    "`main` demands 2 approving reviews on GitHub, #12 has 1",
    "approve it on GitHub",
  ],
  [
    { pull: { ...PULL, mergeState: "blocked" } },
    "GitHub says that the rules of `main` are not met by #12",
    "meet them on the pull request, or merge it by hand",
  ],
])("with %j approved work waits for people, and tells them what to do", (some, why, change) => {
  expect(nextStep({ ...FACTS, ...some })).toEqual({ kind: "wait", why, change });
});

it("what checks say comes before a rule of GitHub's that nobody knows", () => {
  const blocked = { ...FACTS, pull: { ...PULL, mergeState: "blocked" as const } };
  const pending = { required: 1, checks: { kind: "pending", checks: ["build"] } } as const;
  expect(nextStep({ ...blocked, ...pending })).toMatchObject({ kind: "wait_checks" });
});
