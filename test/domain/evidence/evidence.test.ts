import { describe, expect, it } from "vitest";
import {
  type EvidenceFacts,
  missingEvidence,
  type PullFacts,
} from "../../../src/domain/evidence/evidence.ts";

const HEAD = "c".repeat(40);
const OTHER = "d".repeat(40);
const BRANCH = "flotilla/feat-dev/issue-42";
const PULL: PullFacts = {
  number: 50,
  state: "open",
  merged: false,
  own: true,
  author: "flotilla[bot]",
  branch: BRANCH,
  base: "main",
  namesIssue: true,
};

/** A claim that holds. */
function facts(overrides: Partial<EvidenceFacts> = {}): EvidenceFacts {
  return {
    kind: "code",
    issue: 42,
    uncommitted: [],
    changedFiles: ["src/theme.css"],
    allowedPaths: new Set<string>(),
    protectedPaths: [".github/workflows/**"],
    claimedCommit: HEAD,
    headCommit: HEAD,
    serverCommit: HEAD,
    serverBehind: false,
    branch: BRANCH,
    base: "main",
    keptHere: false,
    makesPull: true,
    pull: PULL,
    verdict: null,
    judgedHead: null,
    outputs: 0,
    drafts: [],
    summary: "",
    ...overrides,
  };
}

const kinds = (overrides: Partial<EvidenceFacts>) => missingEvidence(facts(overrides));

describe("the evidence of code", () => {
  it("is whole when all is committed, pushed, claimed and in a pull request that names the issue", () => {
    expect(missingEvidence(facts())).toEqual([]);
  });

  it.each<[string, Partial<EvidenceFacts>, object]>([
    ["committed", { uncommitted: ["a.ts"] }, { kind: "uncommitted", paths: ["a.ts"] }],
    ["a change", { changedFiles: [], serverCommit: null }, { kind: "empty_diff" }],
    ["pushed", { serverCommit: null }, { kind: "not_pushed" }],
    ["pushed to its end", { serverCommit: OTHER, serverBehind: true }, { kind: "not_pushed" }],
    [
      "all that the server has",
      { serverCommit: OTHER },
      { kind: "branch_moved", claimed: HEAD, server: OTHER },
    ],
    ["the claimed head", { headCommit: OTHER }, { kind: "head_moved", claimed: HEAD, head: OTHER }],
    ["a claim", { claimedCommit: null, headCommit: null }, { kind: "head_moved", claimed: null, head: null }],
    [
      "inside policy",
      { changedFiles: ["a.ts", ".github/workflows/ci.yml"] },
      { kind: "protected_paths", paths: [".github/workflows/ci.yml"] },
    ],
    [
      "inside policy, in the place of a protected directory",
      { changedFiles: ["a.ts", ".github"] },
      { kind: "protected_paths", paths: [".github"] },
    ],
    ["a pull request", { pull: null }, { kind: "pull_missing" }],
    ["an open one", { pull: { ...PULL, state: "closed" } }, { kind: "pull_closed", pull: 50 }],
    [
      "ours",
      { pull: { ...PULL, own: false, author: "bob" } },
      { kind: "pull_foreign", pull: 50, author: "bob" },
    ],
    [
      "of its branch",
      { pull: { ...PULL, branch: "x" } },
      { kind: "pull_other_branch", pull: 50, branch: "x" },
    ],
    [
      "into the base",
      { pull: { ...PULL, base: "old" } },
      { kind: "pull_other_base", pull: 50, base: "old", expected: "main" },
    ],
    ["linked", { pull: { ...PULL, namesIssue: false } }, { kind: "pull_unlinked", pull: 50, issue: 42 }],
  ])("that is not %s lacks that and nothing else", (_, overrides, missing) => {
    expect(kinds(overrides)).toEqual([missing]);
  });

  it("needs no pull request of a role that opens none", () => {
    expect(kinds({ makesPull: false, pull: null })).toEqual([]);
  });

  it("is whole when a person merged it, whatever became of the branch since", () => {
    const merged = { ...PULL, state: "closed", merged: true } as const;
    expect(kinds({ pull: merged, serverCommit: null, changedFiles: [] })).toEqual([]);
    expect(kinds({ pull: { ...merged, own: false } })).toEqual([
      { kind: "pull_foreign", pull: 50, author: "flotilla[bot]" },
    ]);
  });

  it("tells all that is missing at once", () => {
    const nothing = { uncommitted: ["a.ts"], changedFiles: [], claimedCommit: null, pull: null };
    expect(kinds(nothing).map(({ kind }) => kind)).toEqual([
      "uncommitted",
      "empty_diff",
      "head_moved",
      "pull_missing",
    ]);
  });
});

describe("the evidence of other roles", () => {
  it.each([
    [1, "", []],
    [0, "The issue is a duplicate.", []],
    [0, " \n", [{ kind: "no_output" }]],
  ])("with %d outputs and the summary %j lacks %j", (outputs, summary, missing) => {
    expect(kinds({ kind: "outputs", outputs, summary })).toEqual(missing);
  });

  it("lacks the end of a plan while sub-issues are drafts, whatever else was done", () => {
    const planned = { kind: "outputs", outputs: 2, summary: "Two parts." } as const;
    expect(kinds({ ...planned, drafts: [43] })).toEqual([{ kind: "parts_are_drafts", issues: [43] }]);
    expect(kinds({ ...planned, drafts: [] })).toEqual([]);
  });

  it.each<[string | null, string | null, readonly object[]]>([
    [HEAD, HEAD, []],
    [null, HEAD, [{ kind: "verdict_missing" }]],
    [HEAD, null, [{ kind: "verdict_missing" }]],
    [OTHER, HEAD, [{ kind: "verdict_stale", commit: OTHER, head: HEAD }]],
  ])("is a verdict on the present head: on %s of %s it lacks %j", (verdict, judgedHead, missing) => {
    expect(kinds({ kind: "verdict", verdict, judgedHead })).toEqual(missing);
  });

  it("is always whole where none is asked for", () => {
    expect(kinds({ kind: "none", pull: null, changedFiles: [] })).toEqual([]);
  });
});
