import { describe, expect, it } from "vitest";
import type { EvidenceFacts } from "../../../src/domain/evidence/evidence.ts";
import { missingReview } from "../../../src/domain/evidence/review-evidence.ts";

const CLAIM = { kind: "code", claimedCommit: "c1", pull: null } as const;
const POLICY = { wanted: "completion", required: true, task: null, verdicts: [] } as const;
const MISSING = [{ kind: "review_missing" }];

const merged: NonNullable<EvidenceFacts["pull"]> = {
  number: 5,
  state: "closed",
  merged: true,
  own: true,
  author: "flotilla[bot]",
  branch: "b",
  base: "main",
  namesIssue: true,
};

describe("a review that the policy wants", () => {
  it.each([
    ["no task", null],
    ["work that nobody has approved yet", { state: "READY_FOR_REVIEW", reviewCommit: "c1" }],
    ["an approval of another commit", { state: "APPROVED", reviewCommit: "c0" }],
  ] as const)("is missing with %s", (_, task) => {
    expect(missingReview(CLAIM, { ...POLICY, task })).toEqual(MISSING);
  });

  it("is given by the approval of the claimed commit", () => {
    const task = { state: "APPROVED", reviewCommit: "c1" } as const;
    expect(missingReview(CLAIM, { ...POLICY, task })).toEqual([]);
  });

  it.each([
    ["the policy wants none", CLAIM, { ...POLICY, required: false }],
    ["a review is what is asked for", CLAIM, { ...POLICY, wanted: "review" as const }],
    ["the work is no code", { ...CLAIM, kind: "outputs" as const }, POLICY],
    ["a person merged it", { ...CLAIM, pull: merged }, POLICY],
  ] as const)("is not missed where %s", (_, claim, policy) => {
    expect(missingReview(claim, policy)).toEqual([]);
  });

  it("cannot be given twice by an agent on one commit, whatever the policy", () => {
    const said = {
      agentId: 5,
      state: "current",
      commit: "c1",
      approves: false,
      reviewer: "reviewer",
      account: null,
    } as const;
    const rejected = [{ kind: "commit_rejected", commit: "c1", reviewer: "reviewer" }];
    for (const wanted of ["review", "completion"] as const)
      expect(missingReview(CLAIM, { ...POLICY, required: false, wanted, verdicts: [said] })).toEqual(
        rejected,
      );
    const others = [
      { ...said, approves: true },
      { ...said, commit: "c0" },
      { ...said, agentId: null, account: 5, state: "dropped" as const },
    ];
    expect(missingReview(CLAIM, { ...POLICY, wanted: "review", verdicts: others })).toEqual([]);
  });

  it("cannot be given while people's requests for changes of the commit stand", () => {
    const said = {
      agentId: null,
      state: "current",
      commit: "c1",
      approves: false,
      reviewer: "alice",
      account: 5,
    } as const;
    const verdicts = [
      said,
      { ...said, reviewer: "bob", account: 6 },
      { ...said, reviewer: "carol", approves: true },
    ];
    for (const wanted of ["review", "completion"] as const)
      expect(missingReview(CLAIM, { ...POLICY, required: false, wanted, verdicts })).toEqual([
        { kind: "changes_requested", commit: "c1", people: ["alice", "bob"] },
      ]);
  });

  it("is not looked for where there is no commit", () => {
    expect(missingReview({ ...CLAIM, claimedCommit: null }, POLICY)).toEqual([]);
  });

  it("is missed although somebody merged a pull request that is not ours", () => {
    expect(missingReview({ ...CLAIM, pull: { ...merged, own: false } }, POLICY)).toEqual(MISSING);
    expect(missingReview({ ...CLAIM, pull: { ...merged, merged: false } }, POLICY)).toEqual(MISSING);
  });
});
