import { describe, expect, it } from "vitest";
import { type EvidenceFacts, missingEvidence } from "../../src/core/evidence.ts";

const HEAD = "c".repeat(40);

/** A claim that holds. */
function facts(overrides: Partial<EvidenceFacts> = {}): EvidenceFacts {
  return {
    kind: "code",
    uncommitted: [],
    changedFiles: ["src/theme.css"],
    headPushed: true,
    claimedCommit: HEAD,
    headCommit: HEAD,
    makesPull: true,
    pull: { number: 50, state: "open", namesIssue: true },
    outputs: 0,
    summary: "",
    ...overrides,
  };
}

describe("the evidence of code", () => {
  it("is whole when all is committed, pushed, claimed and in a pull request that names the issue", () => {
    expect(missingEvidence(facts())).toEqual([]);
  });

  it.each([
    ["committed", { uncommitted: ["a.ts", "b.ts"] }, "not committed: a.ts, b.ts"],
    ["a change", { changedFiles: [], headPushed: false }, "changes nothing"],
    ["pushed", { headPushed: false }, "not on the server"],
    ["the claimed head", { claimedCommit: "d".repeat(40) }, `claimed commit ${"d".repeat(40)}`],
    ["a claim", { claimedCommit: null }, "claimed commit none"],
    ["a head", { headCommit: null }, "the branch is at none"],
    ["a pull request", { pull: null }, "no pull request. Use `open_pr`"],
    ["an open one", { pull: { number: 50, state: "closed", namesIssue: true } }, "#50 is not open"],
    ["one that names it", { pull: { number: 50, state: "open", namesIssue: false } }, "does not name"],
  ] as const)("that is not %s says so, and nothing else", (_, overrides, text) => {
    const missing = missingEvidence(facts(overrides));
    expect(missing).toEqual([expect.stringContaining(text)]);
  });

  it("needs no pull request of a role that opens none", () => {
    expect(missingEvidence(facts({ makesPull: false, pull: null }))).toEqual([]);
  });

  it("tells all that is missing at once", () => {
    const nothing = { uncommitted: ["a.ts"], changedFiles: [], claimedCommit: null, pull: null };
    expect(missingEvidence(facts(nothing))).toHaveLength(4);
  });

  it("names ten files at most, and how many more there are", () => {
    const paths = Array.from({ length: 12 }, (_, index) => `f${index}.ts`);
    const [ten] = missingEvidence(facts({ uncommitted: paths.slice(0, 10) }));
    expect(ten).toContain("f9.ts. Use");
    const [twelve] = missingEvidence(facts({ uncommitted: paths }));
    expect(twelve).toContain("f9.ts and 2 more");
    expect(twelve).not.toContain("f10.ts");
  });
});

describe("the evidence of other roles", () => {
  it.each([
    [1, "", []],
    [0, "The issue is a duplicate.", []],
    [0, " \n", [expect.stringContaining("Nothing was put out")]],
  ])("with %d outputs and the summary %j lacks %j", (outputs, summary, missing) => {
    expect(missingEvidence(facts({ kind: "outputs", outputs, summary }))).toEqual(missing);
  });

  it("is never whole for a verdict that was not given, and always where none is asked for", () => {
    expect(missingEvidence(facts({ kind: "verdict" }))).toEqual([
      "A verdict on the present head is missing.",
    ]);
    expect(missingEvidence(facts({ kind: "none", pull: null, changedFiles: [] }))).toEqual([]);
  });
});
